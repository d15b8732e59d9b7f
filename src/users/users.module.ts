import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import { LOG } from '../common/logging/logging.module.js';
import { Settings } from '../config/settings.js';
import { Passwords } from './passwords/passwords.js';
import { PwnedPasswords, UncheckedPasswords } from './passwords/pwned-passwords.js';
import { PwnedRange } from './passwords/pwned-range.js';
import { Accounts } from './rows/accounts.js';
import { ActingAdmins } from './roles/acting-admins.js';
import { CredentialLookup } from './rows/credential-lookup.js';
import { ManagedRoles } from './roles/managed-roles.js';
import { UserChanges } from './user-changes.js';
import { UserListeners } from './user-listeners.js';
import { UserLocks } from './rows/user-locks.js';
import { UserRules } from './user-rules.js';
import { User } from './rows/user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([User])],
  controllers: [UsersController],
  providers: [
    Accounts,
    ActingAdmins,
    CredentialLookup,
    ManagedRoles,
    Passwords,
    {
      provide: PwnedPasswords,
      inject: [Settings, LOG],
      useFactory: ({ pwnedUrl }: Settings, log: Logger): PwnedPasswords =>
        pwnedUrl === null ? new UncheckedPasswords() : new PwnedRange(pwnedUrl, log),
    },
    UserChanges,
    UserListeners,
    UserLocks,
    UserRules,
    UsersService,
  ],
  exports: [
    Accounts,
    ActingAdmins,
    CredentialLookup,
    ManagedRoles,
    Passwords,
    UserChanges,
    UserListeners,
    UserLocks,
    UsersService,
  ],
})
export class UsersModule {}
