import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../../common/openapi/openapi.registry.js';
import { UsersModule } from '../../users/users.module.js';
import { UserRemovalController } from './user-removal.controller.js';
import { UserRemovalService } from './user-removal.service.js';

/** Removing users with their credentials. */
@Module({
  imports: [UsersModule],
  controllers: [UserRemovalController],
  providers: [UserRemovalService],
})
export class UserRemovalModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./user-removal.openapi.js')).USER_REMOVAL_API);
  }
}
