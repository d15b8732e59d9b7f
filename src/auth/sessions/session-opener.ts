import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { AuditEventName } from '../../audit/audit-event.js';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import { Settings } from '../../config/settings.js';
import type { Account } from '../../users/account.js';
import type { OpenedSession } from './opened-session.js';
import { Session } from './session.entity.js';

const ID_BYTES = 16;

/** That somebody is who they say, and from where they said it. */
export interface SignInProof {
  readonly account: Account;
  /** `pwd`, `otp`, `link`, or the name of an identity provider. @see RFC 8176 */
  readonly amr: readonly string[];
  /** What the audit calls it. */
  readonly event: AuditEventName;
  readonly provider?: string;
  readonly visitor: Visitor;
}

/** Begins sessions. */
@Injectable()
export class SessionOpener {
  constructor(
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly audit: Audit,
  ) {}

  /** Inserts the session as part of the unit of work that takes the proof. */
  async open(manager: EntityManager, { account, amr, visitor, ...told }: SignInProof): Promise<OpenedSession> {
    const now = this.clock.now();
    const { absoluteSeconds, idleSeconds } = this.settings.signIn;
    const sessionId = randomBytes(ID_BYTES).toString('hex');
    await manager.insert(Session, {
      id: sessionId,
      userId: account.id,
      counter: 0,
      amr: amr.join(' '),
      ip: visitor.ip,
      userAgent: visitor.userAgent,
      createdAt: now,
      refreshedAt: now,
      expiresAt: now + absoluteSeconds * 1_000,
      revokedAt: null,
      revokeReason: null,
    });
    const { id: userId, email } = account;
    await this.audit.add(manager, { ...told, outcome: 'success', userId, email, sessionId, visitor });
    return { sessionId, counter: 0, account, amr, authTime: now, endsAt: now + idleSeconds * 1_000 };
  }
}
