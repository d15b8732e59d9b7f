import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { Caller } from '../../common/access/caller.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import { CredentialCache } from '../../common/concurrency/credential-cache.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { IssuerRules } from '../../config/issuer-settings.js';
import { Reads } from '../../database/statements/reads.js';
import { execute, select } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { Accounts } from '../../users/rows/accounts.js';
import type { EmailAddress } from '../../users/rows/email-address.js';
import { USER, usersBy } from '../../users/rows/user-rows.js';
import { againAfterCollision } from '../accounts/collisions.js';
import { hashOf } from '../secrets/secrets.js';
import type { ForeignPerson } from './foreign-claims.js';

interface Known {
  readonly id: number;
  readonly name: string;
  readonly isDisabled: boolean;
}

interface Row {
  readonly user_id: number | string;
  readonly name: string;
  readonly disabled_at: number | string | null;
}

/** What an identity of an issuer is kept under. */
export function providerOf(issuer: string): string {
  return `jwt:${issuer}`;
}

/** The users behind people of others, asked for once in a few seconds each, and made where an issuer may bring new ones. */
@Injectable()
export class IssuerUsers {
  private readonly known: CredentialCache<Known>;

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {
    this.known = new CredentialCache(clock, (key) => this.find(key));
  }

  /** @throws {DomainError} `role_not_granted`, `account_disabled`, `signup_closed` */
  async callerOf(
    person: ForeignPerson,
    { accounts }: Pick<IssuerRules, 'accounts'>,
    visitor: Visitor | null,
  ): Promise<Caller> {
    if (person.role === null) {
      throw new DomainError('role_not_granted', 'None of your groups has a role here. Ask an administrator for one.');
    }
    const key = keyOf(person);
    const user = (await this.known.get(key)) ?? (await this.added(person, accounts, visitor));
    if (user.isDisabled) throw new DomainError('account_disabled', 'This account is disabled.');
    const { issuer, scopes, authTime } = person;
    return { kind: 'user', id: user.id, name: user.name, scopes, issuer, authTime };
  }

  /** To be called after the commit: what this process remembers of users is old. */
  settled(): void {
    this.known.forgetAll();
  }

  private async find(key: string): Promise<Known | null> {
    const [provider = '', subject = ''] = key.split('\n');
    const [row] = await this.reads.select<Row>(
      `SELECT i.user_id, ${USER.name}, ${USER.disabledAt} FROM auth_identities i JOIN ${usersBy('i.user_id')} ` +
        'WHERE i.provider = ? AND i.subject = ?',
      [provider, subject],
    );
    return row ? { id: Number(row.user_id), name: row.name, isDisabled: row.disabled_at !== null } : null;
  }

  private async added(
    person: ForeignPerson,
    accounts: IssuerRules['accounts'],
    visitor: Visitor | null,
  ): Promise<Known> {
    if (accounts === 'known') {
      throw new DomainError('signup_closed', 'There is no account for you here, and none is made by itself.');
    }
    await againAfterCollision(() => this.unitOfWork.run((manager) => this.add(manager, person, visitor)));
    const key = keyOf(person);
    this.known.forget(key);
    const user = await this.known.get(key);
    if (user) return user;
    throw new DomainError('invalid_token', 'The account behind the token was removed.');
  }

  /** Another request may have been first. */
  private async add(manager: EntityManager, person: ForeignPerson, visitor: Visitor | null): Promise<void> {
    const provider = providerOf(person.issuer);
    const sql = 'SELECT id FROM auth_identities WHERE provider = ? AND subject = ?';
    if ((await select(manager, sql, [provider, person.subject])).length > 0) return;
    const own = person.email && !(await this.accounts.findByEmail(manager, person.email)) ? person.email : null;
    const newcomer = { name: person.name, isProved: own !== null };
    const { id: userId, email } = await this.accounts.register(manager, own ?? noAddress(person), newcomer);
    const now = this.clock.now();
    await execute(
      manager,
      'INSERT INTO auth_identities (provider, subject, user_id, email, created_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?)',
      [provider, person.subject, userId, own?.address ?? null, now, now],
    );
    await this.audit.add(manager, { event: 'user.created', outcome: 'success', userId, email, provider, visitor });
  }
}

function keyOf({ issuer, subject }: ForeignPerson): string {
  return `${providerOf(issuer)}\n${subject}`;
}

/** Each account has an address. No mail arrives at this one. @see RFC 2606, section 2 */
function noAddress({ issuer, subject }: ForeignPerson): EmailAddress {
  const address = `${hashOf(subject).slice(0, 32)}@${issuer}.invalid`;
  return { address, key: address };
}
