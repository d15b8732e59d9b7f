import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, MoreThanOrEqual, type EntityManager } from 'typeorm';
import { oidcIssuer, PROVIDER_NAMES, type ProviderName } from '../../config/provider-settings.js';
import { Settings } from '../../config/settings.js';
import type { Reader } from '../../database/statements/reads.js';
import type { CredentialSource, SignInColumns } from '../../users/rows/credential-lookup.js';
import { Session } from '../tokens/access/session.entity.js';
import { ApiToken } from '../tokens/api/rows/api-token.entity.js';
import { livingAt } from '../tokens/api/rows/token-rows.js';
import { Identity } from './identity.entity.js';

/** `set a password, prove your e-mail address or link another identity` */
const CHOICE = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Finds the credentials of accounts, and which of them `AUTH_METHODS` lets be used. */
@Injectable()
export class AccountCredentials implements CredentialSource {
  private readonly hasPasswords: boolean;
  private readonly hasMail: boolean;
  private readonly providers: readonly ProviderName[];
  /** Of the OpenID Connect provider: identities of a former one open nothing. */
  private readonly issuer: string;
  /** What a user can do to have another way in, as the settings are: part of a sentence. */
  readonly otherWays: string;

  constructor({ signIn: { methods }, providers }: Settings) {
    this.hasPasswords = methods.has('password');
    // A forgotten password is replaced by mail.
    this.hasMail = methods.has('otp') || methods.has('magic-link') || this.hasPasswords;
    this.providers = PROVIDER_NAMES.filter((name) => methods.has(name) && providers[name] !== null);
    this.issuer = oidcIssuer(providers);
    const ways = [
      ...(this.hasPasswords ? ['set a password'] : []),
      ...(methods.has('otp') || methods.has('magic-link') ? ['prove your e-mail address'] : []),
      ...(this.providers.length > 0 ? ['link another identity'] : []),
    ];
    this.otherWays = ways.length > 0 ? CHOICE.format(ways) : 'ask an administrator for another way in';
  }

  async isAnyUsable(reader: Reader, accounts: readonly SignInColumns[]): Promise<boolean> {
    if (accounts.some((account) => this.opensByItself(account))) return true;
    if (this.providers.length === 0 || accounts.length === 0) return false;
    const userId = In(accounts.map(({ id }) => id));
    const provider = In(this.providers);
    return reader.of(Identity).existsBy({ userId, provider, issuer: In([this.issuer, '']) });
  }

  hasIdentity(manager: EntityManager, userId: number, since = 0): Promise<boolean> {
    return manager.existsBy(Identity, { userId, createdAt: MoreThanOrEqual(since) });
  }

  async isInUse(manager: EntityManager, userId: number, now: number): Promise<boolean> {
    const hasSession = await manager.existsBy(Session, { userId, revokedAt: IsNull(), expiresAt: MoreThan(now) });
    return hasSession || manager.existsBy(ApiToken, { ...livingAt(now), ownerId: userId, kind: 'personal' });
  }

  private opensByItself({ passwordHash, emailVerifiedAt }: SignInColumns): boolean {
    return (this.hasPasswords && passwordHash !== null) || (this.hasMail && emailVerifiedAt !== null);
  }
}
