import { Injectable } from '@nestjs/common';
import { type EntityManager, In, LessThan, MoreThanOrEqual } from 'typeorm';
import { Clock } from '../../../../common/clock.js';
import type { DomainError } from '../../../../common/errors/domain-error.js';
import { isUniqueViolation } from '../../../../database/dialect/database-error.js';
import { insertRow, insertOrIgnore } from '../../../../database/statements/statement.js';
import { Challenge, type ChallengePurpose } from '../../../secrets/challenge.entity.js';
import { hashOf } from '../../../secrets/secrets.js';
import {
  CLOCK_TOLERANCE,
  type ProviderIdentity,
  type ProviderLogout,
  invalidIdToken,
  invalidLogoutToken,
} from './identity-provider.js';

type Proof = Pick<ProviderIdentity, 'provider' | 'proof' | 'expiresAt'>;

/** Refuses an ID token or a logout token that was accepted before. */
@Injectable()
export class ReplayGuard {
  constructor(private readonly clock: Clock) {}

  /** @throws {DomainError} `invalid_id_token`: it was shown before */
  spend(manager: EntityManager, proof: Proof): Promise<void> {
    return this.insert(manager, 'id_token', proof, invalidIdToken);
  }

  /** To be called before the users are held. @throws {DomainError} `invalid_logout_token`: it was shown before */
  async spendLogout(manager: EntityManager, logout: ProviderLogout): Promise<void> {
    await this.insert(manager, 'logout_token', logout, invalidLogoutToken);
    await rememberLogout(manager, logout);
  }

  private async insert(
    manager: EntityManager,
    purpose: ChallengePurpose,
    { provider, proof, expiresAt }: Proof,
    refusal: (cause: unknown) => DomainError,
  ): Promise<void> {
    const hash = hashOf(`${purpose === 'id_token' ? provider : `${provider} ${purpose}`}\n${proof}`);
    const end = expiresAt + 2 * CLOCK_TOLERANCE * 1_000;
    try {
      await insertRow(manager, Challenge, {
        purpose,
        subject: hash,
        tokenHash: hash,
        attempts: 0,
        createdAt: this.clock.now(),
        expiresAt: end,
        consumedAt: this.clock.now(),
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw refusal(error);
      throw error;
    }
  }
}

const PURPOSE = 'provider_logout';

type Named = Pick<ProviderIdentity, 'provider' | 'sessionId'> & { readonly subject: string | null };

/** Remembers a logout for as long as an id_token counts that was made before it, which would begin a session otherwise. */
async function rememberLogout(manager: EntityManager, logout: ProviderLogout): Promise<void> {
  const { issuedAt, expiresAt } = logout;
  for (const subject of endedBy(logout)) {
    const times = { createdAt: issuedAt, expiresAt };
    await insertOrIgnore(manager, Challenge, { purpose: PURPOSE, subject, attempts: 0, ...times });
    // Logouts may arrive in another order than they were made.
    await manager.update(Challenge, { purpose: PURPOSE, subject, createdAt: LessThan(issuedAt) }, times);
  }
}

/** To be asked once the account is held. @throws {DomainError} `invalid_id_token`: its session was over before it was shown */
export async function requireNoLogout(manager: EntityManager, identity: ProviderIdentity): Promise<void> {
  const isOver = await manager.existsBy(Challenge, {
    purpose: PURPOSE,
    subject: In(endsOf(identity)),
    // Both times are those of the provider, in whole seconds: within one nothing says which came first.
    createdAt: MoreThanOrEqual(identity.issuedAt),
  });
  if (isOver) throw invalidIdToken(new Error('the provider has ended the session since'));
}

/** A session that is named may be one of which the id_token names none. */
function endedBy({ provider, subject, sessionId }: Named): readonly string[] {
  if (sessionId === null) return [keyOf(provider, 'person', subject)];
  const ofSession = keyOf(provider, 'session', sessionId);
  return subject === null ? [ofSession] : [ofSession, keyOf(provider, 'unnamed', subject)];
}

/** The two kinds of logout that may have ended the identity. */
function endsOf({ provider, subject, sessionId }: Named): readonly [string, string] {
  const ofSession = sessionId === null ? keyOf(provider, 'unnamed', subject) : keyOf(provider, 'session', sessionId);
  return [keyOf(provider, 'person', subject), ofSession];
}

function keyOf(provider: string, kind: 'person' | 'session' | 'unnamed', name: string | null): string {
  return hashOf(`${provider} ${kind}\n${name ?? ''}`);
}
