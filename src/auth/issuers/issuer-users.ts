import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import { CredentialCache } from '../../common/concurrency/credential-cache.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { IssuerRules } from '../../config/issuer-settings.js';
import { Reads } from '../../database/statements/reads.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { USER, usersBy } from '../../users/rows/user-rows.js';
import { retryOnCollision } from '../accounts/retry-on-collision.js';
import { CredentialRevocation } from '../accounts/credential-revocation.js';
import { providerOfIssuer } from '../accounts/issuer-identities.js';
import type { ForeignPerson } from './foreign-claims.js';
import { IssuerSignUp } from './issuer-sign-up.js';

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

/** The users behind people of others, asked for once in a few seconds each, and made where an issuer may bring new ones. */
@Injectable()
export class IssuerUsers {
  private readonly known: CredentialCache<Known>;

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly signUp: IssuerSignUp,
    clock: Clock,
    credentials: CredentialRevocation,
  ) {
    this.known = new CredentialCache(clock, (key) => this.find(key));
    credentials.alsoForget(() => {
      this.known.forgetAll();
    });
  }

  /** @throws {DomainError} `role_not_granted`, `account_disabled`, `signup_closed` */
  async callerOf(person: ForeignPerson, rules: IssuerRules, visitor: Visitor | null): Promise<Caller> {
    if (person.role === null) {
      throw new DomainError('role_not_granted', 'None of your groups has a role here. Ask an administrator for one.');
    }
    const key = keyOf(person);
    const user = (await this.known.get(key)) ?? (await this.added(person, rules, visitor));
    if (user.isDisabled) throw new DomainError('account_disabled', 'This account is disabled.');
    const { issuer, scopes, authTime } = person;
    return { kind: 'user', id: user.id, name: user.name, scopes, issuer, authTime };
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

  private async added(person: ForeignPerson, rules: IssuerRules, visitor: Visitor | null): Promise<Known> {
    if (rules.accounts === 'known') {
      throw new DomainError('signup_closed', 'There is no account for you here, and none is made by itself.');
    }
    await retryOnCollision(() =>
      this.unitOfWork.run((manager) => this.signUp.register(manager, person, rules, visitor)),
    );
    const key = keyOf(person);
    this.known.forget(key);
    const user = await this.known.get(key);
    if (user) return user;
    throw new DomainError('invalid_token', 'The account behind the token was removed.');
  }
}

function keyOf({ issuer, subject }: ForeignPerson): string {
  return `${providerOfIssuer(issuer)}\n${subject}`;
}
