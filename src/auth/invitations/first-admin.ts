import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Logger } from 'pino';
import type { Caller } from '../../common/access/caller.js';
import { Chores } from '../../common/chores.js';
import { LOG } from '../../common/logging/logging.module.js';
import { Settings } from '../../config/settings.js';
import { Authority } from '../../users/user-authority.js';
import { ActingAdminCheck } from '../accounts/acting-admin-check.js';
import { InvitationsService } from './invitations.service.js';
import { asUnavailable } from '../../database/database-error.js';

const SETTING: Caller = { kind: 'token', id: null, name: 'ADMIN_EMAIL', scopes: new Set(['*']) };

/**
 * Invites the first admin, so that no password is known beforehand, and warns where there are users and no admin can act.
 * Only a service that answers does so: a command may be about to make that very admin.
 */
@Injectable()
export class FirstAdmin implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;

  constructor(
    private readonly settings: Settings,
    private readonly invitations: InvitationsService,
    private readonly admins: ActingAdminCheck,
    private readonly host: HttpAdapterHost,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.chores = new Chores(log, 'the admins could not be looked at, or the first one not invited', asUnavailable);
  }

  onApplicationBootstrap(): void {
    const { adminEmail: email } = this.settings.signIn;
    this.host.listen$.subscribe(() => {
      // First: who is invited now cannot act yet.
      void this.chores.start(() => this.warn());
      if (email !== null) void this.chores.start(() => this.invite(email));
    });
  }

  onModuleDestroy(): Promise<void> {
    return this.chores.stop();
  }

  private async warn(): Promise<void> {
    const fault = await this.admins.fault();
    if (fault !== null) this.log.warn(fault);
  }

  private invite(email: string): Promise<void> {
    return this.invitations.inviteFirst({ email, name: 'Admin', role: 'admin' }, new Authority(SETTING));
  }
}
