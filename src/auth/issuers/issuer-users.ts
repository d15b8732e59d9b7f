import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { Caller } from '../../common/access/caller.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import { CredentialCache } from '../../common/concurrency/credential-cache.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { Job } from '../../common/jobs/job.decorator.js';
import type { IssuerRules } from '../../config/issuer-settings.js';
import { Settings } from '../../config/settings.js';
import { Reads } from '../../database/statements/reads.js';
import { insertRow } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { isGrowth, type Role } from '../../users/roles/roles.js';
import { Accounts, unreachableAddress } from '../../users/rows/accounts.js';
import { USER, usersBy } from '../../users/rows/user-rows.js';
import { CredentialCaches } from '../accounts/credential-revocation.js';
import { providerOfIssuer, Identity } from '../accounts/identity.entity.js';
import { retryOnCollision } from '../accounts/sign-up.js';
import type { AdmittedPerson, ForeignPerson } from './foreign-claims.js';

/** Creates accounts for users of issuers and gateways, and stores their role and last use. */
@Injectable()
export class IssuerAccounts {
  constructor(
    private readonly settings: Settings,
    private readonly accounts: Accounts,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Forgets the roles of issuers that are not in the settings any more. The next token of a user names the role again. */
  @Job({ name: 'issuers.departed', once: 'listening', failure: 'roles of former issuers could not be forgotten' })
  async forgetDeparted(): Promise<void> {
    const { issuers, gatewaySecret, gatewayUsers } = this.settings.outsiders;
    const gateway = gatewaySecret === null || gatewayUsers === null ? [] : [gatewayUsers];
    const known = [...issuers, ...gateway].map(({ name }) => providerOfIssuer(name));
    const departed = [`provider LIKE '${providerOfIssuer('%')}'`, ...known.map(() => 'provider <> ?')].join(' AND ');
    const which = { sql: `id IN (SELECT user_id FROM auth_identities WHERE ${departed})`, values: known };
    await this.unitOfWork.run((manager) => this.accounts.forgetIssuerRoles(manager, which));
  }

  /** Makes an account for a person who has none. Another request may have been first. */
  async register(
    manager: EntityManager,
    person: AdmittedPerson,
    { isEmailTrusted: isTrusted }: IssuerRules,
    visitor: Visitor | null,
  ): Promise<void> {
    const provider = providerOfIssuer(person.issuer);
    if (await manager.existsBy(Identity, { provider, subject: person.subject })) return;

    const own = await this.addressFor(manager, person, isTrusted);
    const newcomer = { name: person.name, isProved: own !== null && isTrusted, issuerRole: person.role };
    const { id: userId, email } = await this.accounts.register(
      manager,
      own ?? unreachableAddress(person.issuer),
      newcomer,
    );
    const now = this.clock.now();
    await insertRow(manager, Identity, {
      provider,
      issuer: '',
      subject: person.subject,
      userId,
      email: person.email?.address ?? null,
      createdAt: now,
      lastUsedAt: now,
    });
    await this.audit.add(manager, { event: 'user.created', outcome: 'success', userId, email, provider, visitor });
  }

  /**
   * Stores that an identity was used, and the role that its issuer names.
   *
   * @returns false: the identity is not linked any more, or the account is disabled
   */
  async note(manager: EntityManager, userId: number, { issuer, subject, role }: AdmittedPerson): Promise<boolean> {
    const provider = providerOfIssuer(issuer);
    const isLinked = {
      sql: 'EXISTS (SELECT 1 FROM auth_identities WHERE user_id = ? AND provider = ? AND subject = ?)',
      values: [userId, provider, subject],
    };
    if (!(await this.accounts.setIssuerRole(manager, userId, role, isLinked))) return false;
    await manager.update(Identity, { userId, provider, subject }, { lastUsedAt: this.clock.now() });
    return true;
  }

  /**
   * The address that the account gets; `null`: one at which no mail arrives. An address that the operator does not vouch
   * for is taken only if its owner may sign up anyway, and stays unproved: the first proof by mail makes the account that
   * of the reader alone.
   *
   * @see ADR 23
   */
  private async addressFor(manager: EntityManager, { email }: AdmittedPerson, isTrusted: boolean) {
    if (email === null || !(isTrusted || this.settings.signIn.signUp === 'open')) return null;
    return (await this.accounts.findByEmail(manager, email)) === null ? email : null;
  }
}

/** Interval at which the last use of an identity is stored, and a weaker role. A stronger role is stored at once. */
const NOTED_EVERY_MS = 3_600_000;

type Known = NonNullable<Awaited<ReturnType<typeof findUser>>>;

interface Row {
  readonly user_id: number | string;
  readonly name: string;
  readonly disabled_at: number | string | null;
  readonly issuer_role: Role | null;
  readonly last_used_at: number | string;
}

/** The users behind tokens of issuers and headers of a gateway: each is read once in a few seconds, and created if the rules say so. */
@Injectable()
export class IssuerUsers {
  private readonly known: CredentialCache<Known>;

  constructor(
    reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: IssuerAccounts,
    private readonly clock: Clock,
    caches: CredentialCaches,
  ) {
    this.known = new CredentialCache(clock, (key) => findUser(reads, key));
    caches.alsoForget(() => {
      this.known.forgetAll();
    });
  }

  /** @throws {DomainError} `role_not_granted`, `account_disabled`, `signup_closed` */
  async callerOf(person: ForeignPerson, rules: IssuerRules, visitor: Visitor | null): Promise<Caller> {
    if (!isAdmitted(person)) {
      throw new DomainError('role_not_granted', 'None of your groups has a role here. Ask an administrator for one.');
    }
    const key = keyOf(person);
    const user = (await this.known.get(key)) ?? (await this.added(person, rules, visitor));
    if (user.isDisabled) throw new DomainError('account_disabled', 'This account is disabled.');
    const { issuer, role: issuerRole, scopes } = person;
    const now = this.clock.now();
    const isStronger = user.issuerRole === null || isGrowth(user.issuerRole, issuerRole);
    if (isStronger || Math.abs(now - user.lastUsedAt) >= NOTED_EVERY_MS) await this.note(user, person);
    const authTime = rules.isFresh ? now : person.authTime;
    return { kind: 'user', id: user.id, name: user.name, scopes, issuer, issuerRole, authTime };
  }

  /**
   * Before the person does anything: from then on only those manage the account who hold all scopes of the role.
   *
   * @throws {DomainError} `invalid_token`: the identity was unlinked or the account disabled since the user was read
   */
  private async note({ id }: Known, person: AdmittedPerson): Promise<void> {
    const isNoted = await this.unitOfWork.run((manager) => this.accounts.note(manager, id, person));
    this.known.forget(keyOf(person));
    if (!isNoted) throw accountIsGone();
  }

  private async added(person: AdmittedPerson, rules: IssuerRules, visitor: Visitor | null): Promise<Known> {
    if (rules.accounts === 'known') {
      throw new DomainError('signup_closed', 'There is no account for you here. Ask an administrator for one.');
    }
    await retryOnCollision(() =>
      this.unitOfWork.run((manager) => this.accounts.register(manager, person, rules, visitor)),
    );
    const key = keyOf(person);
    this.known.forget(key);
    const user = await this.known.get(key);
    if (user) return user;
    throw accountIsGone();
  }
}

async function findUser(reads: Reads, key: string) {
  const [provider = '', subject = ''] = key.split('\n');
  const [row] = await reads.select<Row>(
    `SELECT i.user_id, i.last_used_at, ${USER.name}, ${USER.disabledAt}, ${USER.issuerRole} FROM auth_identities i ` +
      `JOIN ${usersBy('i.user_id')} WHERE i.provider = ? AND i.subject = ?`,
    [provider, subject],
  );
  if (!row) return null;
  const { name, issuer_role: issuerRole } = row;
  const isDisabled = row.disabled_at !== null;
  return { id: Number(row.user_id), name, isDisabled, issuerRole, lastUsedAt: Number(row.last_used_at) };
}

function accountIsGone(): DomainError {
  return new DomainError('invalid_token', 'The account behind the token was removed.');
}

function isAdmitted(person: ForeignPerson): person is AdmittedPerson {
  return person.role !== null;
}

function keyOf({ issuer, subject }: ForeignPerson): string {
  return `${providerOfIssuer(issuer)}\n${subject}`;
}
