import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { isUniqueViolation } from '../../database/database-error.js';
import { execute } from '../../database/statement.js';
import { hashOf } from '../secrets.js';
import { CLOCK_TOLERANCE, type ProviderIdentity } from './identity-provider.js';
import { invalidIdToken } from './provider.errors.js';

/** Sees to it that a proof of a provider opens one session and no second one. */
@Injectable()
export class SpentProofs {
  constructor(private readonly clock: Clock) {}

  /** @throws {DomainError} `invalid_id_token`: it was shown before */
  async spend(manager: EntityManager, { provider, proof, expiresAt }: ProviderIdentity): Promise<void> {
    const hash = hashOf(`${provider}\n${proof}`);
    const end = expiresAt + 2 * CLOCK_TOLERANCE * 1_000;
    try {
      await execute(
        manager,
        'INSERT INTO auth_challenges (purpose, subject, token_hash, attempts, created_at, expires_at, consumed_at) ' +
          "VALUES ('id_token', ?, ?, 0, ?, ?, ?)",
        [hash, hash, this.clock.now(), end, this.clock.now()],
      );
    } catch (error) {
      if (isUniqueViolation(error)) throw invalidIdToken(error);
      throw error;
    }
  }
}
