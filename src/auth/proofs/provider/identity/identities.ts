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
  /** Whether its directory speaks for the account, see `Identity`. */
  readonly isBound: boolean;
}

/** Whether the provider has verified that the person reads the mail to the address of the account. */
export function isOfAddress({ email, isEmailVerified }: ProviderIdentity, { emailKey }: Account): boolean {
  return isEmailVerified && email?.key === emailKey;
}

interface Row {
  readonly id: number | string;
  readonly user_id: number | string;
  readonly bound_at: number | string | null;
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
    const [row] = await select<Row>(
      manager,
      // One that a former release has linked counts where there is none of that very issuer.
      "SELECT id, user_id, bound_at FROM auth_identities WHERE provider = ? AND issuer IN (?, '') AND subject = ? ORDER BY issuer DESC LIMIT 1",
      [provider, this.issuerOf(provider), subject],
    );
    if (!row) return null;
    return { id: Number(row.id), userId: Number(row.user_id), provider, isBound: row.bound_at !== null };
  }

  /**
   * Notes that it was used, and that it is bound from now on where it is.
   *
   * @returns whether it still belongs to that user: the first proof of a mailbox may have taken it away meanwhile
   */
  async use(manager: EntityManager, { id, userId, provider, isBound }: LinkedIdentity): Promise<boolean> {
    const now = this.clock.now();
    const { affected } = await execute(
      manager,
      // MySQL counts rows that differ afterwards, and two sign-ins may fall into one millisecond.
      'UPDATE auth_identities SET issuer = ?, bound_at = COALESCE(bound_at, ?), ' +
        'last_used_at = CASE WHEN last_used_at >= ? THEN last_used_at + 1 ELSE ? END WHERE id = ? AND user_id = ?',
      [this.issuerOf(provider), isBound ? now : null, now, now, id, userId],
    );
    return affected > 0;
  }

  /** Links an identity to an account that was there before, which its owner is mailed. */
  async link(manager: EntityManager, identity: ProviderIdentity, account: Account, visitor: Visitor): Promise<void> {
    await this.insert(manager, identity, account, isOfAddress(identity, account));
    const { id: userId, email } = account;
    const { provider } = identity;
    await this.audit.add(manager, { event: 'provider.link', outcome: 'success', userId, email, provider, visitor });
  }

  /** The identity for which an account was made. */
  add(manager: EntityManager, identity: ProviderIdentity, account: Account): Promise<void> {
    return this.insert(manager, identity, account, true);
  }

  async remove(manager: EntityManager, { id }: Pick<LinkedIdentity, 'id'>): Promise<void> {
    await execute(manager, 'DELETE FROM auth_identities WHERE id = ?', [id]);
  }

  private async insert(
    manager: EntityManager,
    { provider, subject, email }: ProviderIdentity,
    { id }: Account,
    isBound: boolean,
  ): Promise<void> {
    const now = this.clock.now();
    const address = email?.address ?? null;
    await execute(
      manager,
      'INSERT INTO auth_identities (provider, issuer, subject, user_id, email, bound_at, created_at, last_used_at) ' +
        'VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      [provider, this.issuerOf(provider), subject, id, address, isBound ? now : null, now, now],
    );
  }

  /** Whose the identities of a provider are, see `Identity`. */
  private issuerOf(provider: ProviderName): string {
    return provider === 'oidc' ? oidcIssuer(this.settings.providers) : '';
  }
}
