import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { AuditDetails, AuditEventName } from '../../../audit/audit-event.js';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { Clock } from '../../../common/clock.js';
import { Settings } from '../../../config/settings.js';
import { insertRow } from '../../../database/statements/statement.js';
import type { Account } from '../../../users/rows/account.js';
import { NewDevices } from './new-devices.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { Session } from '../../tokens/access/session.entity.js';

const ID_BYTES = 16;

/** What has proved a user, and where it came from. */
export interface SignInProof {
  readonly account: Account;
  /** `pwd`, `otp`, `link`, or the name of an identity provider. @see RFC 8176 */
  readonly amr: readonly string[];
  /** What the audit calls it. */
  readonly event: AuditEventName;
  readonly provider?: string;
  /** Further details for the audit. */
  readonly details?: AuditDetails;
  /** When the user proved who they are, milliseconds since 1970, UTC; 0: unknown; left out: now. */
  readonly authTime?: number;
  /** The session at the provider in which this one begins. */
  readonly providerSid?: string | null;
  readonly visitor: Visitor;
  /** Whether the device was recognised before its browser was sent elsewhere. */
  readonly isKnownDevice?: boolean;
}

/** Begins sessions. */
@Injectable()
export class SessionOpener {
  constructor(
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly audit: Audit,
    private readonly devices: NewDevices,
  ) {}

  /** Inserts the session as part of the unit of work that takes the proof. */
  async open(manager: EntityManager, proof: SignInProof): Promise<OpenedSession> {
    const { account, amr, visitor, providerSid = null, isKnownDevice = false, authTime: _, ...event } = proof;
    const details = isKnownDevice ? {} : await this.detailsOf(manager, proof);
    const now = this.clock.now();
    const authTime = Math.min(proof.authTime ?? now, now);
    const { absoluteSeconds, idleSeconds } = this.settings.signIn;
    const sessionId = randomBytes(ID_BYTES).toString('hex');
    await insertRow(manager, Session, {
      id: sessionId,
      userId: account.id,
      counter: 0,
      amr: amr.join(' '),
      ip: visitor.ip,
      userAgent: visitor.userAgent,
      createdAt: now,
      authTime,
      aal: 1,
      refreshedAt: now,
      expiresAt: now + absoluteSeconds * 1_000,
      revokedAt: null,
      revokeReason: null,
      providerSid,
    });
    const { id: userId, email } = account;
    await this.audit.add(manager, { ...event, outcome: 'success', userId, email, sessionId, visitor, ...details });
    return { sessionId, counter: 0, account, amr, authTime, endsAt: now + idleSeconds * 1_000 };
  }

  /** The owner of the account is mailed what happens on a new device. */
  private async detailsOf(
    manager: EntityManager,
    { account, visitor, details }: SignInProof,
  ): Promise<Pick<SignInProof, 'details'>> {
    const isNew = await this.devices.isNew(manager, account, visitor);
    return isNew ? { details: { ...details, new_device: true } } : {};
  }
}
