import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../../common/clock.js';
import type { DomainError } from '../../../../common/errors/domain-error.js';
import { isUniqueViolation } from '../../../../database/dialect/database-error.js';
import { insertRow } from '../../../../database/statements/statement.js';
import { Challenge, type ChallengePurpose } from '../../../secrets/challenge.entity.js';
import { hashOf } from '../../../secrets/secrets.js';
import { CLOCK_TOLERANCE, type ProviderIdentity } from './identity-provider.js';
import { invalidIdToken, invalidLogoutToken } from './provider.errors.js';

type Proof = Pick<ProviderIdentity, 'provider' | 'proof' | 'expiresAt'>;

/** Refuses an ID token or a logout token that was accepted before. */
@Injectable()
export class ReplayGuard {
  constructor(private readonly clock: Clock) {}

  /** @throws {DomainError} `invalid_id_token`: it was shown before */
  spend(manager: EntityManager, proof: Proof): Promise<void> {
    return this.insert(manager, 'id_token', proof, invalidIdToken);
  }

  /** @throws {DomainError} `invalid_logout_token`: it was shown before */
  spendLogout(manager: EntityManager, proof: Proof): Promise<void> {
    return this.insert(manager, 'logout_token', proof, invalidLogoutToken);
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
