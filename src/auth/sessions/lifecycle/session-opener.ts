import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { type EntityManager, In, IsNull, Or } from 'typeorm';
import type { AuditDetails, AuditEventName } from '../../../audit/audit-event.js';
import { hasBegunSession } from '../../../audit/audit-reader.js';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { Clock } from '../../../common/clock.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { clientNetworks } from '../../../common/http/request-context.js';
import { Settings } from '../../../config/settings.js';
import { insertRow } from '../../../database/statements/statement.js';
import type { Account } from '../../../users/rows/account.js';
import { DeviceCookie } from '../../limits/known-clients.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { Session } from '../../tokens/access/session.entity.js';
import type { RevocationReason } from './sessions.service.js';

/** Number of sessions that are compared by network and program. */
const MAX_COMPARED = 100;
/** Not those that were ended because they were not trusted any more. */
const TRUSTED = { revokeReason: Or(IsNull(), In(['logout', 'provider_logout'] satisfies RevocationReason[])) };

const ID_BYTES = 16;

export interface SignInProof {
  readonly account: Account;
  /** `pwd`, `otp`, `link`, or the name of an identity provider. @see RFC 8176 */
  readonly amr: readonly string[];
  readonly event: AuditEventName;
  readonly provider?: string;
  readonly details?: AuditDetails;
  /** Time of the proof, milliseconds since 1970, UTC; 0: unknown; left out: now. */
  readonly authTime?: number;
  readonly providerSid?: string | null;
  readonly visitor: Visitor;
  /** True if the device was recognised before its browser was sent elsewhere. */
  readonly isKnownDevice?: boolean;
}

/** Begins sessions, and recognises devices. */
@Injectable()
export class SessionOpener {
  constructor(
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly audit: Audit,
    private readonly devices: DeviceCookie,
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

  /** True if the visitor shows the cookie of a sign-in of that user since the last change of the password. */
  isKnownDevice(account: Account, { device }: Visitor): boolean {
    const shown = this.devices.read(device);
    return shown !== null && this.devices.isOf(shown, account);
  }

  /** The owner of the account is mailed a sign-in on a new device. */
  private async detailsOf(manager: EntityManager, { account, visitor, details }: SignInProof) {
    const isNew = !this.isKnownDevice(account, visitor) && (await isNewPlace(manager, account.id, visitor));
    return isNew ? { details: { ...details, new_device: true } } : {};
  }
}

/**
 * A place is new if the user has signed in before, and no session that is kept and was trusted has its network (/24 of
 * version 4, /64 of version 6) and its program, in any version. To be asked before the session is inserted.
 */
async function isNewPlace(manager: EntityManager, userId: number, here: Pick<Session, 'ip' | 'userAgent'>) {
  const places = await manager.find(Session, {
    select: { id: true, ip: true, userAgent: true },
    where: { ...TRUSTED, userId },
    order: { refreshedAt: 'DESC' },
    take: MAX_COMPARED,
  });
  if (places.some((place) => likenessOf(place) === likenessOf(here))) return false;
  // The audit remembers it when the sessions are forgotten.
  return (await manager.existsBy(Session, { userId })) || hasBegunSession(manager, userId);
}

/** A text that stays the same when a program is updated, or gets another address in its network. */
function likenessOf({ ip, userAgent }: Pick<Session, 'ip' | 'userAgent'>): string {
  const network = ip.includes('.') ? ip.slice(0, ip.lastIndexOf('.')) : clientNetworks(ip)[0].key;
  return `${network}\n${(userAgent ?? '').replaceAll(/[\d._]+/g, '')}`;
}

/** @throws {DomainError} `account_disabled`: to be asked only after a right credential */
export function requireEnabled({ disabledAt }: Account): void {
  if (disabledAt !== null) throw new DomainError('account_disabled', 'This account is disabled. Ask an administrator.');
}
