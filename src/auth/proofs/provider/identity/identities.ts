import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../../audit/audit.js';
import type { Visitor } from '../../../../common/access/visitor.js';
import { Clock } from '../../../../common/clock.js';
import { oidcIssuer, type ProviderName } from '../../../../config/provider-settings.js';
import { Settings } from '../../../../config/settings.js';
import { insertRow } from '../../../../database/statements/statement.js';
import type { Account } from '../../../../users/rows/account.js';
import { Identity } from '../../../accounts/identity.entity.js';
import { hashOf } from '../../../secrets/secrets.js';
import type { ProviderIdentity } from './identity-provider.js';

/** An identity of a user; `isBound`: its directory speaks for the account. */
export type LinkedIdentity = Pick<Identity, 'id' | 'userId'> & { readonly isBound: boolean };

/** True if the provider has verified that the person reads the mail to the address of the account. */
export function isOfAddress({ email, isEmailVerified }: ProviderIdentity, { emailKey }: Account): boolean {
  return isEmailVerified && email?.key === emailKey;
}

/** Maps the identities of providers to users. */
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
    const identity = await manager.findOneBy(Identity, { provider, issuer: this.issuerOf(provider), subject });
    return identity && { id: identity.id, userId: identity.userId, isBound: identity.boundAt !== null };
  }

  /** Notes that it was used. @returns false: it is not that of the user any more, by the first proof of a mailbox */
  async use(manager: EntityManager, { id, userId, isBound }: LinkedIdentity): Promise<boolean> {
    const now = this.clock.now();
    const { affected } = await manager
      .createQueryBuilder()
      .update(Identity)
      .set({
        ...(isBound ? { boundAt: () => 'COALESCE(bound_at, :now)' } : {}),
        // MySQL counts rows that differ afterwards, and two sign-ins may fall into one millisecond.
        lastUsedAt: () => 'CASE WHEN last_used_at >= :now THEN last_used_at + 1 ELSE :now END',
      })
      .where({ id, userId })
      .setParameter('now', now)
      .execute();
    return affected !== 0;
  }

  /** Links an identity to an account that was there before, which its owner is mailed. */
  async link(manager: EntityManager, identity: ProviderIdentity, account: Account, visitor: Visitor): Promise<void> {
    await this.add(manager, identity, account, isOfAddress(identity, account));
    const { id: userId, email } = account;
    const { provider } = identity;
    await this.audit.add(manager, { event: 'provider.link', outcome: 'success', userId, email, provider, visitor });
  }

  async add(manager: EntityManager, { provider, subject, email }: ProviderIdentity, { id }: Account, isBound: boolean) {
    const now = this.clock.now();
    await insertRow(manager, Identity, {
      provider,
      issuer: this.issuerOf(provider),
      subject,
      userId: id,
      email: email?.address ?? null,
      boundAt: isBound ? now : null,
      createdAt: now,
      lastUsedAt: now,
    });
  }

  /** Owner of the identities of a provider, see `Identity`. */
  private issuerOf(provider: ProviderName): string {
    return provider === 'oidc' ? oidcIssuer(this.settings.providers) : '';
  }
}

/** The key of a session at a provider in the database; `null`: the provider named none. */
export function providerSession(identity: Pick<ProviderIdentity, 'provider' | 'sessionId'>): string | null {
  const { provider, sessionId } = identity;
  return sessionId === null ? null : hashOf(`${provider}\n${sessionId}`);
}
