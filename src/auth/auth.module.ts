import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiToken } from './api-tokens/api-token.entity.js';
import { LastUse } from './api-tokens/last-use.js';
import { VerifiedTokens } from './api-tokens/verified-tokens.js';
import { Credentials } from './credentials.js';
import { BearerGuard } from './guards/bearer.guard.js';

/** Who sends a request, and what they may do. */
@Module({
  imports: [TypeOrmModule.forFeature([ApiToken])],
  providers: [Credentials, LastUse, VerifiedTokens, { provide: APP_GUARD, useClass: BearerGuard }],
})
export class AuthModule {}
