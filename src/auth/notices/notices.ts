import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit, type AuditListener } from '../../audit/audit.js';
import type { AuditEvent } from '../../audit/audit-event.js';
import { Settings } from '../../config/settings.js';
import { Accounts } from '../../users/rows/accounts.js';
import { Identity } from '../accounts/identity.entity.js';
import { NoticeMailer } from './notice-mailer.js';
import { noticeOf, type Happened } from './notice-texts.js';

const MAX_IDENTITIES = 20;

/**
 * Mails the owner of an account what happened to its credentials, in the unit of work of the event: both happen, or
 * neither.
 *
 * @see ADR 24, ASVS 5.0 6.3.7
 */
@Injectable()
export class Notices implements AuditListener, OnModuleInit {
  constructor(
    private readonly audit: Audit,
    private readonly accounts: Accounts,
    private readonly mailer: NoticeMailer,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.audit.listen(this);
  }

  async added(manager: EntityManager, event: AuditEvent): Promise<void> {
    const write = noticeOf(event);
    if (!write) return;
    const happened = await this.happened(manager, event);
    const text = happened && write(happened);
    if (text) await this.mailer.send(manager, happened, text);
  }

  /** `null`: the event is about no account, or its user is kept out. */
  private async happened(manager: EntityManager, event: AuditEvent): Promise<Happened | null> {
    const userId = ownerOf(event);
    const account = userId === null ? null : await this.accounts.find(manager, userId);
    if (account?.disabledAt !== null) return null;
    const identities = await manager.find(Identity, {
      where: { userId: account.id },
      order: { id: 'ASC' },
      take: MAX_IDENTITIES,
    });
    const { siteName: service, signIn } = this.settings;
    return { event, account, service, identities, methods: signIn.methods };
  }
}

/** Whose account an event is about: that of the user who did it, where it names no other. */
function ownerOf({ userId, actor }: AuditEvent): number | null {
  if (userId != null) return userId;
  return actor?.kind === 'user' ? actor.id : null;
}
