import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Caller } from '../../common/access/caller.js';
import { Chores } from '../../common/chores.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { LOG } from '../../common/logging/logging.module.js';
import { Settings } from '../../config/settings.js';
import { Reads } from '../../database/reads.js';
import { Authority } from '../../users/user-authority.js';
import { InvitationsService } from './invitations.service.js';

const SETTING: Caller = { kind: 'token', id: null, name: 'ADMIN_EMAIL', scopes: new Set(['*']) };

/** Invites the first admin, so that nobody ever has a password that is known beforehand. */
@Injectable()
export class FirstAdmin implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;

  constructor(
    private readonly settings: Settings,
    private readonly reads: Reads,
    private readonly invitations: InvitationsService,
    @Inject(LOG) log: Logger,
  ) {
    this.chores = new Chores(log, 'the first admin could not be invited');
  }

  onApplicationBootstrap(): void {
    const { adminEmail } = this.settings.signIn;
    if (adminEmail !== null) void this.chores.start(() => this.invite(adminEmail));
  }

  onModuleDestroy(): Promise<void> {
    return this.chores.stop();
  }

  private async invite(email: string): Promise<void> {
    const known = await this.reads.select('SELECT id FROM users LIMIT 1');
    if (known.length > 0) return;
    try {
      await this.invitations.invite({ email, name: 'Admin', role: 'admin' }, new Authority(SETTING));
    } catch (error) {
      // Another process has begun at the same moment.
      if (!(error instanceof DomainError && error.error === 'email_taken')) throw error;
    }
  }
}
