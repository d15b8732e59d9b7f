import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Caller } from '../../../common/access/caller.js';
import { Job } from '../../../common/jobs/job.decorator.js';
import { LOG } from '../../../common/logging/logging.module.js';
import { Settings } from '../../../config/settings.js';
import { UserAuthority } from '../../../users/roles/user-authority.js';
import { ActingAdminCheck } from '../../accounts/account-credentials.js';
import { InvitationsService } from './invitations.service.js';

const SETTING: Caller = { kind: 'token', id: null, name: 'ADMIN_EMAIL', scopes: new Set(['*']) };

/**
 * Invites the first admin, so that no password is known beforehand, and warns where there are users and no admin can act.
 * Only a service that answers does so: a command may be about to make that very admin.
 */
@Injectable()
export class FirstAdminJobs {
  constructor(
    private readonly settings: Settings,
    private readonly invitations: InvitationsService,
    private readonly admins: ActingAdminCheck,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** First: who is invited now cannot act yet. */
  @Job({ name: 'first-admin.warn', once: 'listening', failure: 'whether an admin can sign in could not be checked' })
  async warn(): Promise<void> {
    const { fault, message } = await this.admins.look();
    if (fault) this.log.warn(message);
  }

  @Job({
    name: 'first-admin.invite',
    once: 'listening',
    failure: 'the first admin was not invited: `user invite` of the command line does it, and so does the next start',
  })
  async invite(): Promise<void> {
    const { adminEmail: email } = this.settings.signIn;
    if (email === null) return;
    await this.invitations.inviteFirst({ email, name: 'Admin', role: 'admin' }, new UserAuthority(SETTING));
  }
}
