import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import { CredentialCache } from '../../common/concurrency/credential-cache.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { IssuerRules } from '../../config/issuer-settings.js';
import { Reads } from '../../database/statements/reads.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { isGrowth, type Role } from '../../users/roles/roles.js';
import { USER, usersBy } from '../../users/rows/user-rows.js';
import { retryOnCollision } from '../accounts/sign-up.js';
import { CredentialRevocation } from '../accounts/credential-revocation.js';
import { providerOfIssuer } from '../accounts/identity.entity.js';
import type { AdmittedPerson, ForeignPerson } from './foreign-claims.js';
import { IssuerAccounts } from './issuer-accounts.js';

/** How often the last use of an identity is stored. A weaker role is stored as late as that, a stronger one at once. */
const NOTED_EVERY_MS = 3_600_000;

interface Known {
  readonly id: number;
  readonly name: string;
  readonly isDisabled: boolean;
  /** The stored role of the issuer. */
  readonly issuerRole: Role | null;
  readonly lastUsedAt: number;
}

interface Row {
  readonly user_id: number | string;
  readonly name: string;
  readonly disabled_at: number | string | null;
  readonly issuer_role: Role | null;
  readonly last_used_at: number | string;
}

/** The users behind tokens of issuers and headers of a gateway: each is read once in a few seconds, and created where new ones are let in. */
@Injectable()
export class IssuerUsers {
  private readonly known: CredentialCache<Known>;

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: IssuerAccounts,
    private readonly clock: Clock,
    credentials: CredentialRevocation,
  ) {
    this.known = new CredentialCache(clock, (key) => this.find(key));
    credentials.alsoForget(() => {
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
    if (this.isToBeNoted(user, person)) await this.note(user, person);
    const { issuer, role: issuerRole, scopes } = person;
    const authTime = rules.isFresh ? this.clock.now() : person.authTime;
    return { kind: 'user', id: user.id, name: user.name, scopes, issuer, issuerRole, authTime };
  }

  private async find(key: string): Promise<Known | null> {
    const [provider = '', subject = ''] = key.split('\n');
    const [row] = await this.reads.select<Row>(
      `SELECT i.user_id, i.last_used_at, ${USER.name}, ${USER.disabledAt}, ${USER.issuerRole} FROM auth_identities i ` +
        `JOIN ${usersBy('i.user_id')} WHERE i.provider = ? AND i.subject = ?`,
      [provider, subject],
    );
    if (!row) return null;
    const { name, issuer_role: issuerRole } = row;
    const isDisabled = row.disabled_at !== null;
    return { id: Number(row.user_id), name, isDisabled, issuerRole, lastUsedAt: Number(row.last_used_at) };
  }

  private isToBeNoted({ issuerRole, lastUsedAt }: Known, { role }: AdmittedPerson): boolean {
    if (issuerRole === null || isGrowth(issuerRole, role)) return true;
    return Math.abs(this.clock.now() - lastUsedAt) >= NOTED_EVERY_MS;
  }

  /**
   * Before the person does anything: from then on only those manage the account who hold all scopes of the role.
   *
   * @throws {DomainError} `invalid_token`: since the user was read, the identity was unlinked or the account disabled
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

function accountIsGone(): DomainError {
  return new DomainError('invalid_token', 'The account behind the token was removed.');
}

function isAdmitted(person: ForeignPerson): person is AdmittedPerson {
  return person.role !== null;
}

function keyOf({ issuer, subject }: ForeignPerson): string {
  return `${providerOfIssuer(issuer)}\n${subject}`;
}
