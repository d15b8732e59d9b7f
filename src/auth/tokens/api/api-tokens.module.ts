import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../../../common/openapi/openapi.registry.js';
import { ApiToken } from './rows/api-token.entity.js';
import { ApiTokensController } from './api-tokens.controller.js';
import { ApiTokensService } from './api-tokens.service.js';
import { ConfiguredTokens } from './rows/configured-tokens.js';
import { LastUse, VerifiedTokens } from './check/verified-tokens.js';
import { OwnTokensController } from './own-tokens.controller.js';
import { ApiTokenJobs } from './api-token-jobs.js';
import { TokenWarningJobs } from './token-warning-jobs.js';
import { TokenRotation } from './token-rotation.js';
import { TokenRows } from './rows/token-rows.js';

/** The credentials of programs. */
@Module({
  imports: [TypeOrmModule.forFeature([ApiToken])],
  controllers: [ApiTokensController, OwnTokensController],
  providers: [
    ApiTokensService,
    ConfiguredTokens,
    LastUse,
    ApiTokenJobs,
    TokenWarningJobs,
    TokenRotation,
    TokenRows,
    VerifiedTokens,
  ],
  exports: [ApiTokensService, ConfiguredTokens, TokenRotation, VerifiedTokens],
})
export class ApiTokensModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./openapi/api-tokens.openapi.js')).API_TOKENS_API);
  }
}
