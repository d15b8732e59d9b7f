import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { Account } from '../../users/account.js';
import { againAfterCollision } from '../accounts/collisions.js';
import { SessionEnd } from '../sessions/session-end.js';
import { AccountLinking } from './account-linking.js';
import type { ProviderIdentity } from './identity-provider.js';
import { SpentProofs } from './spent-proofs.js';

/** Whom a provider has proved somebody to be. */
export interface ProviderProof {
  readonly identity: ProviderIdentity;
  /** The session of whoever is signed in and asks for the link; `null`: nobody is. */
  readonly session: string | null;
}

/** Takes a proof once, and works with the account that it opens. */
@Injectable()
export class ProvenAccounts {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly proofs: SpentProofs,
    private readonly linking: AccountLinking,
    private readonly ends: SessionEnd,
  ) {}

  /**
   * @param work done in the unit of work that takes the proof
   * @throws {DomainError} `invalid_id_token` shown before, and what {@link AccountLinking.find} throws
   */
  async use<Result>(
    { identity, session }: ProviderProof,
    work: (manager: EntityManager, account: Account) => Promise<Result>,
  ): Promise<Result> {
    const { result, isFirstProof } = await againAfterCollision(() =>
      this.unitOfWork.run(async (manager) => {
        await this.proofs.spend(manager, identity);
        const found = await this.linking.find(manager, identity, session);
        return { result: await work(manager, found.account), isFirstProof: found.isFirstProof };
      }),
    );
    // The sessions of whoever had the account without a proof are over at once.
    if (isFirstProof) this.ends.settled();
    return result;
  }
}
