import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { Settings } from '../config/settings.js';
import { Passwords } from './passwords.js';
import { UserCopies } from './user-copies.js';
import { UserLocks } from './user-locks.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { USERS_API } from './users.openapi.js';
import { UsersService } from './users.service.js';

/** Of the specification: `throttle:60,1`. */
const REQUESTS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

@Module({
  imports: [
    TypeOrmModule.forFeature([User]),
    ThrottlerModule.forRootAsync({
      inject: [Settings],
      useFactory: ({ rateLimits }: Settings) => ({
        // Blocked for no longer than it takes the oldest request to be a minute old.
        throttlers: [{ limit: REQUESTS_PER_MINUTE, ttl: MINUTE_MS, blockDuration: 0 }],
        skipIf: () => !rateLimits,
      }),
    }),
  ],
  controllers: [UsersController],
  providers: [Passwords, UserCopies, UserLocks, UsersService],
  exports: [Passwords, UserCopies, UsersService],
})
export class UsersModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(USERS_API);
  }
}
