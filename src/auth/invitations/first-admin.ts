import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Logger } from 'pino';
import type { Caller } from '../../common/access/caller.js';
import { Chores } from '../../common/chores.js';
import { LOG } from '../../common/logging/logging.module.js';
import { Settings } from '../../config/settings.js';
import { Authority } from '../../users/user-authority.js';
import { InvitationsService } from './invitations.service.js';
import { asUnavailable } from '../../database/database-error.js';

const SETTING: Caller = { kind: 'token', id: null, name: 'ADMIN_EMAIL', scopes: new Set(['*']) };

/**
 * Invites the first admin, so that nobody ever has a password that is known beforehand. Only a service that answers
 * does so: a command may be about to make that very admin.
 */
@Injectable()
export class FirstAdmin implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;

  constructor(
    private readonly settings: Settings,
    private readonly invitations: InvitationsService,
    private readonly host: HttpAdapterHost,
    @Inject(LOG) log: Logger,
  ) {
    this.chores = new Chores(log, 'the first admin could not be invited', asUnavailable);
  }

  onApplicationBootstrap(): void {
    const { adminEmail: email } = this.settings.signIn;
    if (email === null) return;
    const invitation = { email, name: 'Admin', role: 'admin' } as const;
    this.host.listen$.subscribe(() => {
      void this.chores.start(() => this.invitations.inviteFirst(invitation, new Authority(SETTING)));
    });
  }

  onModuleDestroy(): Promise<void> {
    return this.chores.stop();
  }
}
