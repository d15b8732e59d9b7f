import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiTokenJobs, TokenWarningJobs } from './api-token-jobs.js';
import { ApiTokensController, OwnTokensController } from './api-tokens.controller.js';
import { ApiTokensService } from './api-tokens.service.js';
import { ApiToken } from './rows/api-token.entity.js';
import { ConfiguredTokens } from './rows/configured-tokens.js';
import { TokenRows } from './rows/token-rows.js';
import { LastUse, VerifiedTokens } from './verified-tokens.js';

/** The credentials of programs. */
@Module({
  imports: [TypeOrmModule.forFeature([ApiToken])],
  controllers: [ApiTokensController, OwnTokensController],
  providers: [ApiTokensService, ConfiguredTokens, LastUse, ApiTokenJobs, TokenWarningJobs, TokenRows, VerifiedTokens],
  exports: [ApiTokensService, ConfiguredTokens, VerifiedTokens],
})
export class ApiTokensModule {}
