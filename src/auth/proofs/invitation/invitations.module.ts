import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../../../common/openapi/openapi.registry.js';
import { UsersModule } from '../../../users/users.module.js';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { ChallengesModule } from '../challenges/challenges.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { FirstAdminJobs } from './first-admin-jobs.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';
import { InvitationAnswers } from './invitation-answers.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsService } from './invitations.service.js';
import { InvitedAccounts } from './invited-accounts.js';

/** Bringing people in by mail. */
@Module({
  imports: [AccountsModule, ChallengesModule, SessionsModule, UsersModule],
  controllers: [InvitationsController],
  providers: [FirstAdminJobs, InvitationAcceptanceService, InvitationAnswers, InvitationsService, InvitedAccounts],
})
export class InvitationsModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./invitations.openapi.js')).INVITATIONS_API);
  }
}
