import { Injectable } from '@nestjs/common';
import type { OpenAPIV3_1 } from 'openapi-types';
import { In, IsNull, MoreThan, MoreThanOrEqual, type EntityManager } from 'typeorm';
import { objectOf } from '../../common/openapi/describe.js';
import { named } from '../../common/openapi/endpoint.js';
import type { OutsiderSettings } from '../../config/issuer-settings.js';
import { oidcIssuer, PROVIDER_NAMES, type ProviderName } from '../../config/provider-settings.js';
import { Settings } from '../../config/settings.js';
import { type Reader, Reads } from '../../database/statements/reads.js';
import { ActingAdmins } from '../../users/roles/acting-admins.js';
import type { CredentialSource, SignInColumns } from '../../users/rows/credential-lookup.js';
import { hasUsers } from '../../users/rows/user-rows.js';
import { Session } from '../tokens/access/session.entity.js';
import { ApiToken } from '../tokens/api/rows/api-token.entity.js';
import { livingAt } from '../tokens/api/rows/token-rows.js';
import { Identity } from './identity.entity.js';

/** `set a password, prove your e-mail address or link another identity` */
const CHOICE = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Finds the credentials of accounts that `AUTH_METHODS` lets be used. */
@Injectable()
export class AccountCredentials implements CredentialSource {
  private readonly hasPasswords: boolean;
  private readonly hasMail: boolean;
  private readonly providers: readonly ProviderName[];
  /** Issuer of the OpenID Connect provider: identities of a former one open nothing. */
  private readonly issuer: string;
  /** Ways for a user to get another way in by these settings: part of a sentence. */
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

/** The identities that open an account, the oldest first. @param take how many at most; left out: all */
export function identitiesOf(reader: Reader, userId: number, take?: number): Promise<Identity[]> {
  return reader.of(Identity).find({ where: { userId }, order: { id: 'ASC' }, ...(take !== undefined && { take }) });
}

const INSTANT: OpenAPIV3_1.SchemaObject = { type: 'string', format: 'date-time' };

export const IDENTITY = named(
  'Identity',
  objectOf(
    {
      id: { type: 'integer', minimum: 1 },
      provider: {
        type: 'string',
        description: '`google`, `apple` or `oidc`; `jwt:<name>` of a trusted issuer, `jwt:gateway` of a gateway.',
        examples: ['google'],
      },
      email: { type: ['string', 'null'], description: 'The address that the provider named when it was linked.' },
      created_at: INSTANT,
      last_used_at: INSTANT,
    },
    { description: 'An identity at a provider that opens an account.' },
  ),
);

export function identityDto({ id, provider, email, createdAt, lastUsedAt }: Identity) {
  return {
    id,
    provider,
    email,
    created_at: new Date(createdAt).toISOString(),
    last_used_at: new Date(lastUsedAt).toISOString(),
  };
}

const LIST = new Intl.ListFormat('en-GB');

const NO_ACTING_ADMIN =
  'No admin can sign in: none who is enabled has a password, a proved address or an identity that AUTH_METHODS lets in. ' +
  'Allow what an admin has, or make another one: npm run cli -- user create --email … --name … --role admin --verified.';

/** Checks that a service that has users has an admin who can act, or lets admins of others in. */
@Injectable()
export class ActingAdminCheck {
  constructor(
    private readonly admins: ActingAdmins,
    private readonly reads: Reads,
    private readonly settings: Settings,
  ) {}

  /** @returns a sentence for operators; `fault`: none can act, though there are users */
  async look(): Promise<{ readonly fault: boolean; readonly message: string }> {
    if (await this.admins.exist(this.reads)) return { fault: false, message: 'an admin can sign in' };
    const sources = adminSources(this.settings.outsiders);
    if (sources.length > 0) return { fault: false, message: `administrators come from ${LIST.format(sources)}` };
    if (await hasUsers(this.reads)) return { fault: true, message: NO_ACTING_ADMIN };
    return { fault: false, message: firstAdmin(this.settings) };
  }
}

/** The step that is left before anybody can sign in. */
function firstAdmin({ signIn: { adminEmail } }: Settings): string {
  return adminEmail === null
    ? 'nobody can sign in yet: set ADMIN_EMAIL, or run npm run cli -- user create --email … --name … --role admin --verified'
    : `nobody can sign in yet: the next start mails an invitation to ${adminEmail}`;
}

/** The issuers and gateways by whose word people are admins. */
function adminSources({ issuers, gatewayUsers }: OutsiderSettings): string[] {
  const all = [...issuers, ...(gatewayUsers === null ? [] : [gatewayUsers])];
  return all
    .filter(({ roles }) => [...roles.ofGroup.values(), roles.otherwise].includes('admin'))
    .map(({ name }) => name);
}
