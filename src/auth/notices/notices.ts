import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit, type AuditListener } from '../../audit/audit.js';
import type { AuditEvent, AuditEventName } from '../../audit/audit-event.js';
import { Settings } from '../../config/settings.js';
import { Accounts } from '../../users/rows/accounts.js';
import { Identity } from '../accounts/identity.entity.js';
import {
  passwordChanged,
  userUpdated,
  identityLinked,
  identityUnlinked,
  tokenMade,
  tokenRotated,
} from './change-notices.js';
import { accountLocked, accountStripped, lockedDown, newDevice, sessionReused } from './incident-notices.js';
import { NoticeMailer } from './notice-mailer.js';
import type { Happened, NoticeText } from './notice-text.js';

type Writer = (happened: Happened) => NoticeText | null;

/** Which events are noticed by mail, and what the letter says. */
const NOTICES: Readonly<Partial<Record<AuditEventName, Writer>>> = {
  'password.changed': passwordChanged,
  'password.reset': passwordChanged,
  'user.updated': userUpdated,
  'token.created': tokenMade,
  'token.rotated': tokenRotated,
  'provider.link': identityLinked,
  'provider.unlink': identityUnlinked,
  'refresh.reused': sessionReused,
  'account.locked': accountLocked,
  'account.stripped': accountStripped,
  'account.locked_down': lockedDown,
  login: newDevice,
  'otp.verify': newDevice,
  'magic_link.verify': newDevice,
  'provider.sign_in': newDevice,
  exchange: newDevice,
};

/** Refusals that the owner of the account is to know of; of all other events only those that succeed. */
const REFUSALS: readonly AuditEventName[] = ['refresh.reused', 'account.locked'];

/** Sign-ins are noticed where they come from a device that the account does not know. */
const SIGN_INS: readonly AuditEventName[] = [
  'login',
  'otp.verify',
  'magic_link.verify',
  'provider.sign_in',
  'exchange',
];

/** What writes the letter about an event; `undefined`: there is none. */
function noticeOf(event: AuditEvent): Writer | undefined {
  if (event.outcome === 'failure' && !REFUSALS.includes(event.event)) return undefined;
  if (SIGN_INS.includes(event.event) && event.details?.new_device !== true) return undefined;
  return NOTICES[event.event];
}

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
