import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../../audit/audit.js';
import type { Visitor } from '../../../../common/access/visitor.js';
import { Clock } from '../../../../common/clock.js';
import { Settings } from '../../../../config/settings.js';
import { oidcIssuer, type ProviderName } from '../../../../config/provider-settings.js';
import { execute, select } from '../../../../database/statements/statement.js';
import type { Account } from '../../../../users/rows/account.js';
import type { ProviderIdentity } from './identity-provider.js';

/** An identity that belongs to a user of ours. */
export interface LinkedIdentity {
  readonly id: number;
  readonly userId: number;
  readonly provider: ProviderName;
}

/** Which users the identities of providers belong to. */
@Injectable()
export class Identities {
  constructor(
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly settings: Settings,
  ) {}

  async find(
    manager: EntityManager,
    { provider, subject }: Pick<ProviderIdentity, 'provider' | 'subject'>,
  ): Promise<LinkedIdentity | null> {
    const [row] = await select<{ id: number | string; user_id: number | string }>(
      manager,
      // One that a former release has linked counts where there is none of that very issuer.
      "SELECT id, user_id FROM auth_identities WHERE provider = ? AND issuer IN (?, '') AND subject = ? ORDER BY issuer DESC LIMIT 1",
      [provider, this.issuerOf(provider), subject],
    );
    return row ? { id: Number(row.id), userId: Number(row.user_id), provider } : null;
  }

  /** @returns whether it still belongs to that user: the first proof of a mailbox may have taken it away meanwhile */
  async use(manager: EntityManager, { id, userId, provider }: LinkedIdentity): Promise<boolean> {
    const { affected } = await execute(
      manager,
      // MySQL counts rows that differ afterwards, and two sign-ins may fall into one millisecond.
      'UPDATE auth_identities SET issuer = ?, last_used_at = CASE WHEN last_used_at >= ? THEN last_used_at + 1 ELSE ? END WHERE id = ? AND user_id = ?',
      [this.issuerOf(provider), this.clock.now(), this.clock.now(), id, userId],
    );
    return affected > 0;
  }

  /** Links an identity to an account that was there before, which its owner is mailed. */
  async link(manager: EntityManager, identity: ProviderIdentity, account: Account, visitor: Visitor): Promise<void> {
    await this.add(manager, identity, account);
    const { id: userId, email } = account;
    const { provider } = identity;
    await this.audit.add(manager, { event: 'provider.link', outcome: 'success', userId, email, provider, visitor });
  }

  /** The identity for which an account was made. */
  async add(manager: EntityManager, { provider, subject, email }: ProviderIdentity, account: Account): Promise<void> {
    const now = this.clock.now();
    await execute(
      manager,
      'INSERT INTO auth_identities (provider, issuer, subject, user_id, email, created_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      [provider, this.issuerOf(provider), subject, account.id, email?.address ?? null, now, now],
    );
  }

  async remove(manager: EntityManager, { id }: Pick<LinkedIdentity, 'id'>): Promise<void> {
    await execute(manager, 'DELETE FROM auth_identities WHERE id = ?', [id]);
  }

  /** Whose the identities of a provider are, see `Identity`. */
  private issuerOf(provider: ProviderName): string {
    return provider === 'oidc' ? oidcIssuer(this.settings.providers) : '';
  }
}
