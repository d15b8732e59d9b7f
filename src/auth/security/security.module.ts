import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../../common/openapi/openapi.registry.js';
import { UsersModule } from '../../users/users.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiTokensModule } from '../tokens/api/api-tokens.module.js';
import { ApiToken } from '../tokens/api/rows/api-token.entity.js';
import { ChallengesModule } from '../proofs/challenges/challenges.module.js';
import { NoticesModule } from '../notices/notices.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { AccountSecurityReader } from './account-security-reader.js';
import { LivingTokens } from './living-tokens.js';
import { LockDownAnswers } from './lock-down-answers.js';
import { LockDownController } from './lock-down.controller.js';
import { LockDownMail } from './lock-down-mail.js';
import { LockDownService } from './lock-down.service.js';
import { LockedAccounts } from './locked-accounts.js';
import { SecurityController } from './security.controller.js';
import { UserSecurityController } from './user-security.controller.js';
import { UserSessionsService } from './user-sessions.service.js';

/** What opens an account, and the ways to end it. */
@Module({
  imports: [
    AccountsModule,
    ApiTokensModule,
    ChallengesModule,
    NoticesModule,
    SessionsModule,
    UsersModule,
    TypeOrmModule.forFeature([ApiToken]),
  ],
  controllers: [LockDownController, SecurityController, UserSecurityController],
  providers: [
    AccountSecurityReader,
    LivingTokens,
    LockDownAnswers,
    LockDownMail,
    LockDownService,
    LockedAccounts,
    UserSessionsService,
  ],
})
export class SecurityModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./security.openapi.js')).SECURITY_API);
  }
}
