import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { ApiToken } from './api-tokens/api-token.entity.js';
import { ApiTokensController } from './api-tokens/api-tokens.controller.js';
import { API_TOKENS_API } from './api-tokens/api-tokens.openapi.js';
import { ApiTokensService } from './api-tokens/api-tokens.service.js';
import { LastUse } from './api-tokens/last-use.js';
import { VerifiedTokens } from './api-tokens/verified-tokens.js';
import { Credentials } from './credentials.js';
import { BearerGuard } from './guards/bearer.guard.js';

/** Who sends a request, and what they may do. */
@Module({
  imports: [TypeOrmModule.forFeature([ApiToken])],
  controllers: [ApiTokensController],
  providers: [ApiTokensService, Credentials, LastUse, VerifiedTokens, { provide: APP_GUARD, useClass: BearerGuard }],
})
export class AuthModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(API_TOKENS_API);
  }
}
