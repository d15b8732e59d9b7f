import { Injectable } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { insertRow } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import type { Account } from '../../users/rows/account.js';
import { Accounts } from '../../users/rows/accounts.js';
import { Challenge } from '../secrets/challenge.entity.js';
import { hashOf, isSecret, newSecret } from '../secrets/secrets.js';
import { requireEnabled, SessionOpener } from '../sessions/lifecycle/session-opener.js';
import { SessionRevocation } from '../sessions/lifecycle/sessions.service.js';
import type { OpenedSession } from '../tokens/access/session-ref.js';

/** SHA-256 of a verifier in base64url. @see RFC 7636, 4.2 */
export const CODE_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
export const CODE_CHALLENGE_RULE = 'code_challenge must be a SHA-256 in base64url, 43 characters.';

/** @see RFC 7636, 4.1 */
export const CODE_VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
export const CODE_VERIFIER_RULE = 'code_verifier must have 43 to 128 letters, digits, -, ., _ or ~.';

/**
 * True if a verifier is that of a challenge; `null`: there is none. A verifier without a challenge comes from a client
 * that wrongly takes itself for protected.
 *
 * @see RFC 7636, 4.6
 */
function isVerified(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === verifier;
  const made = createHash('sha256').update(verifier).digest();
  const asked = Buffer.from(challenge, 'base64url');
  return asked.length === made.length && timingSafeEqual(asked, made);
}

const LIFE_MS = 60_000;

/** The sign-in that a one-time code grants. */
export interface Grant {
  readonly userId: number;
  /** Methods by which its user proved who they are. @see RFC 8176 */
  readonly amr: readonly string[];
  /** Challenge of the client that may redeem it; `null`: any bearer. @see RFC 7636 */
  readonly codeChallenge: string | null;
  /** Time of the proof, milliseconds since 1970, UTC; 0: unknown; left out: as the code is exchanged. */
  readonly authTime?: number;
  readonly providerSid?: string | null;
  /** True if the device of the proof is one of the user: at the exchange its cookie may be missing. */
  readonly isKnownDevice?: boolean;
}

/** A code as it is found, held still until the unit of work ends. */
interface FoundCode extends Grant {
  readonly id: number;
  /** `spent`: it was redeemed before, and it was the code of this very session. */
  readonly state: 'open' | 'expired' | 'spent';
  readonly sessionId: string | null;
}

/** One-time codes, which stand in an address in the place of tokens and are exchanged for them. */
@Injectable()
export class ExchangeCodes {
  constructor(
    private readonly clock: Clock,
    private readonly dialect: Dialect,
    private readonly accounts: Accounts,
  ) {}

  /** @returns the code; only its hash is kept */
  async issue(manager: EntityManager, { userId, ...grant }: Grant): Promise<string> {
    const code = newSecret();
    const now = this.clock.now();
    await insertRow(manager, Challenge, {
      ...keyOf(code),
      subject: hashOf(code),
      userId,
      attempts: 0,
      context: JSON.stringify(grant),
      createdAt: now,
      expiresAt: now + LIFE_MS,
    });
    return code;
  }

  /** A code and its owner, who is locked first. `null`: there is no such code, or the verifier is not that of the code. */
  async find(
    manager: EntityManager,
    code: string,
    verifier: string | null,
  ): Promise<{ readonly account: Account; readonly found: FoundCode } | null> {
    const unlocked = isSecret(code) ? await manager.findOneBy(Challenge, keyOf(code)) : null;
    const account = unlocked?.userId ? await this.accounts.lock(manager, unlocked.userId) : null;
    if (!account) return null;
    const challenge = await manager.findOne(Challenge, { where: keyOf(code), ...this.dialect.forUpdate });
    const found = challenge && this.found(challenge);
    return found && isVerified(found.codeChallenge, verifier) ? { account, found } : null;
  }

  /** Marks a code as redeemed, for a session that ends when it is shown again. */
  async spend(manager: EntityManager, { id, amr, codeChallenge, providerSid }: FoundCode, sessionId: string) {
    const context = JSON.stringify({ amr, codeChallenge, providerSid, sessionId });
    await manager.update(Challenge, { id }, { consumedAt: this.clock.now(), context });
  }

  private found({ id, userId, context, expiresAt, consumedAt }: Challenge): FoundCode | null {
    // Written by this class alone.
    if (userId === null || context === null) return null;
    const { sessionId, ...grant } = JSON.parse(context) as Omit<Grant, 'userId'> & { readonly sessionId?: string };
    const isOpen = expiresAt > this.clock.now();
    const state = consumedAt !== null ? 'spent' : isOpen ? 'open' : 'expired';
    return { ...grant, id, userId, state, sessionId: sessionId ?? null };
  }
}

function keyOf(code: string): Pick<Challenge, 'purpose'> & { readonly tokenHash: string } {
  return { purpose: 'exchange', tokenHash: hashOf(code) };
}

/** The provider, or we, do not take a code. */
export function invalidCodeExchange(cause?: unknown): DomainError {
  const message = 'The code is wrong, used or expired, or its verifier is missing. Begin the sign-in again.';
  return new DomainError('invalid_code_exchange', message, { cause });
}

/** Exchanges one-time codes for sessions. */
@Injectable()
export class ExchangeService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly codes: ExchangeCodes,
    private readonly opener: SessionOpener,
    private readonly revocation: SessionRevocation,
    private readonly audit: Audit,
  ) {}

  /**
   * Opens the session of a code. A code that comes a second time was seen by another client: its session ends.
   *
   * @throws {DomainError} `invalid_code_exchange`, `account_disabled`
   * @see RFC 6749 section 4.1.2, RFC 7636
   */
  async exchange(code: string, verifier: string | null, visitor: Visitor): Promise<OpenedSession> {
    const redeemed = await this.audit.noteRefusal({ event: 'exchange', visitor }, () =>
      this.unitOfWork.run(async (manager) => {
        const shown = await this.codes.find(manager, code, verifier);
        return shown && this.redeem(manager, shown.account, shown.found, visitor);
      }),
    );
    if (redeemed !== null && typeof redeemed !== 'string') return redeemed;
    const refusal = { event: 'exchange', outcome: 'failure', reason: 'invalid_code_exchange' } as const;
    this.audit.note({ ...refusal, sessionId: redeemed, visitor });
    throw invalidCodeExchange();
  }

  /**
   * Throws nothing for a code that is used or over: what a second use ends has to be committed.
   *
   * @returns the session; the id of the one that a second use has ended; `null`: neither
   */
  private async redeem(manager: EntityManager, account: Account, found: FoundCode, visitor: Visitor) {
    const { amr, state, sessionId, providerSid = null, isKnownDevice = false, authTime } = found;
    if (state === 'spent' && sessionId !== null) {
      const hasEnded = await this.revocation.revoke(manager, sessionId, account.id, 'exchange_reused');
      return hasEnded ? sessionId : null;
    }
    if (state !== 'open') return null;
    requireEnabled(account);
    const when = authTime === undefined ? {} : { authTime };
    const proof = { account, amr, event: 'exchange', visitor, providerSid, isKnownDevice, ...when } as const;
    const session = await this.opener.open(manager, proof);
    await this.codes.spend(manager, found, session.sessionId);
    return session;
  }
}
