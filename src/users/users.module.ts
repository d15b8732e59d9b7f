import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { Passwords } from './passwords.js';
import { Accounts } from './accounts.js';
import { UserChanges } from './user-changes.js';
import { UserCopies } from './user-copies.js';
import { UserListeners } from './user-listeners.js';
import { UserLocks } from './user-locks.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([User])],
  controllers: [UsersController],
  providers: [Accounts, Passwords, UserChanges, UserCopies, UserListeners, UserLocks, UsersService],
  exports: [Accounts, Passwords, UserChanges, UserCopies, UserListeners, UsersService],
})
export class UsersModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./users.openapi.js')).USERS_API);
  }
}
