import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { UnitOfWork } from '../../../../database/units/unit-of-work.js';
import type { Account } from '../../../../users/rows/account.js';
import { retryOnCollision } from '../../../accounts/sign-up.js';
import { requireEnabled } from '../../../sessions/lifecycle/session-opener.js';
import { Directory } from '../identity/directory.js';
import type { DirectoryRole } from '../identity/directory-roles.js';
import type { ProviderProof } from '../identity/identity-provider.js';
import { ReplayGuard, requireNoLogout } from '../identity/replay-guard.js';
import { AccountLinking, type FoundAccount } from './account-linking.js';

type Refusal = Exclude<DirectoryRole, { readonly kind: 'role' }>;

/** Takes a proof once, and works with the account that it opens. */
@Injectable()
export class AccountResolver {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly replays: ReplayGuard,
    private readonly linking: AccountLinking,
    private readonly directory: Directory,
  ) {}

  /**
   * @param work done in the unit of work that takes the proof
   * @throws {DomainError} `invalid_id_token` shown before or after a logout, `role_not_granted`, `last_admin`, and what {@link AccountLinking.find} throws
   */
  async use<Result>(
    proof: ProviderProof,
    work: (manager: EntityManager, account: Account) => Promise<Result>,
  ): Promise<Result> {
    const { directory } = proof.identity;
    if (directory && directory.kind !== 'role') return this.refuse(proof, directory);
    const { result, found } = await retryOnCollision(() =>
      this.unitOfWork.run(async (manager) => {
        await this.replays.spend(manager, proof.identity);
        const opened = await this.open(manager, proof);
        return { result: await work(manager, opened.account), found: opened };
      }),
    );
    // Sessions without a proof are over at once, and a role counts at once.
    if (found.hasChanged) this.directory.settled(found.account);
    return result;
  }

  private async open(manager: EntityManager, proof: ProviderProof): Promise<FoundAccount> {
    await this.directory.hold(manager, proof);
    const found = await this.linking.find(manager, proof);
    await requireNoLogout(manager, proof.identity);
    const account = await this.directory.admit(manager, found, proof);
    requireEnabled(account);
    const hasOthers = account.role !== found.account.role || account.email !== found.account.email;
    return { ...found, account, hasChanged: found.hasChanged || hasOthers };
  }

  private async refuse({ identity, visitor }: ProviderProof, { kind, message }: Refusal): Promise<never> {
    const changed = await this.unitOfWork.run(async (manager) => {
      await this.replays.spend(manager, identity);
      if (kind === 'unknown') return null;
      return kind === 'outsider'
        ? this.directory.shutOut(manager, identity, visitor)
        : this.directory.takeRole(manager, identity, visitor);
    });
    if (changed) this.directory.settled(changed);
    throw new DomainError('role_not_granted', message);
  }
}
