import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { KeyedMutex } from '../../../common/concurrency/keyed-mutex.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { Passwords } from '../../../users/passwords/passwords.js';
import type { Account } from '../../../users/rows/account.js';
import { Accounts } from '../../../users/rows/accounts.js';
import { requireEmail } from '../../../users/user-fields.js';
import { UsersService } from '../../../users/users.service.js';
import { AccountLocks, AccountTries } from '../../limits/account-tries.js';
import { KnownClients, type KnownClient } from '../../limits/known-clients.js';
import { requireEnabled, SessionOpener } from '../../sessions/lifecycle/session-opener.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';

interface Checked {
  readonly account: Account;
  /** The same password hashed at today's cost; `null`: it is so already. */
  readonly newHash: string | null;
}

interface Shown {
  readonly visitor: Visitor;
  /** Left out: the device of the visitor. */
  readonly client?: KnownClient;
}

/** Tries that may wait at one address, and for how long, milliseconds: a slow database must not gather them. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 10_000;

/**
 * Checks passwords, with a wait that grows with each wrong one. An address without an account is waited for and hashed for
 * as any other: neither the time nor the answer shows whether there is an account.
 */
@Injectable()
export class PasswordCheck {
  /** Tries for one counter run one after the other: how the one before them ends is unknown yet. */
  private readonly mutex = new KeyedMutex<string>();

  constructor(
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly tries: AccountTries,
    private readonly locks: AccountLocks,
    private readonly knownClients: KnownClients,
  ) {}

  /**
   * The account of a right password; `null`: it is wrong. A known client has counters of its own.
   *
   * @throws {DomainError} `too_many_requests`, `overloaded`
   */
  async check(emailKey: string, password: string, { visitor, client: given }: Shown): Promise<Checked | null> {
    const client = given ?? (await this.knownClients.deviceOf(visitor, emailKey, 'login'));
    const counter = counterOf(emailKey, client);
    if (this.mutex.lengthOf(counter) > MAX_WAITING) throw tooManyWaiting();
    const since = performance.now();
    return this.mutex.run(counter, async () => {
      if (performance.now() - since > MAX_WAIT_MS) throw tooManyWaiting();
      return this.compare({ emailKey, counter, password, isKnown: client !== null }, visitor);
    });
  }

  private async compare(guess: Guess, visitor: Visitor): Promise<Checked | null> {
    const { emailKey, counter, password } = guess;
    const isLast = await this.tries.takeWithDelay('login', counter);
    const account = await this.users.findByKey(emailKey);
    const isRight = await this.verify(guess, account);
    if (!account || !isRight) {
      if (isLast) this.locks.begin('password', emailKey, visitor);
      return null;
    }
    await this.tries.forget('login', counter);
    return { account, newHash: await this.passwords.renewed(password, account.passwordHash) };
  }

  /** A try that was turned away since others were being served was not wrong. */
  private async verify({ counter, password, isKnown }: Guess, account: Account | null): Promise<boolean> {
    try {
      return await this.passwords.verify(password, account?.passwordHash ?? null, { isKnown });
    } catch (error) {
      await this.tries.giveBack('login', counter);
      throw error;
    }
  }
}

interface Guess {
  readonly emailKey: string;
  readonly counter: string;
  readonly password: string;
  readonly isKnown: boolean;
}

function counterOf(emailKey: string, client: KnownClient | null): string {
  return client ? `${emailKey}\n${client.id}\n${client.passwordHash ?? ''}` : emailKey;
}

/** A request that has only waited does not count as a try. */
function tooManyWaiting(): DomainError {
  return new DomainError('overloaded', 'Too many sign-ins wait at this address. Try again in a moment.', {
    headers: { 'Retry-After': '1' },
  });
}

/** Signing in by password. */
@Injectable()
export class LoginService {
  constructor(
    private readonly check: PasswordCheck,
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly sessions: SessionOpener,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `invalid_credentials`, `account_disabled`, `too_many_requests`, `overloaded` */
  async login(
    { email, password }: Readonly<Record<'email' | 'password', string>>,
    visitor: Visitor,
  ): Promise<OpenedSession> {
    const { key } = requireEmail(email);
    const { account, newHash } = await this.audit.noteRefusal(
      { event: 'login', typedEmail: key, visitor },
      async () => {
        const checked = await this.check.check(key, password, { visitor });
        if (!checked) throw invalidCredentials();
        return checked;
      },
    );
    const { id: userId, email: address } = account;
    return this.audit.noteRefusal({ event: 'login', userId, email: address, visitor }, () =>
      this.unitOfWork.run((manager) => this.open(manager, { account, newHash }, visitor)),
    );
  }

  /** Opens a session, unless the password was replaced since the hash was checked. */
  private async open(manager: EntityManager, { account, newHash }: Checked, visitor: Visitor): Promise<OpenedSession> {
    const present = await this.accounts.lock(manager, account.id);
    if (present?.passwordHash !== account.passwordHash) throw invalidCredentials();
    requireEnabled(present);
    if (newHash !== null) await this.accounts.rehash(manager, present, newHash);
    return this.sessions.open(manager, { account: present, amr: ['pwd'], event: 'login', visitor });
  }
}

/** The one refusal of an unknown address, an account without a password and a wrong password. */
export function invalidCredentials(): DomainError {
  return new DomainError('invalid_credentials', 'The e-mail address or password is wrong.');
}
