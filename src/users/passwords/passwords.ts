import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { DomainError, ValidationError } from '../../common/errors/domain-error.js';
import { Settings } from '../../config/settings.js';
import { hashedForm } from './password-form.js';
import { PwnedPasswords } from './pwned-passwords.js';
import { pwnedPassword } from '../user.errors.js';
import { foldedPassword, wordsOf } from './common-passwords.js';

/** What is known of an account to all who guess at its password. */
interface KnownOfAccount {
  readonly name: string;
  readonly email: string;
  /** Of the service: `cms.example.com`. */
  readonly host: string;
}

/** Whether a password is the address, the name or the host, or one of them in the usual ways made longer. */
export function isPersonalPassword(password: string, { name, email, host }: KnownOfAccount): boolean {
  const local = email.slice(0, email.lastIndexOf('@'));
  const known = new Set([name, email, local, host].map(bare));
  return wordsOf(foldedPassword(password)).some((word) => known.has(bare(word)));
}

function bare(text: string): string {
  return foldedPassword(text).replace(/[\s._-]+/gu, '');
}

/** Hashes at once: more would only take threads away from everything else. */
const MAX_RUNNING = 2;
/** In each of the two lines. */
const MAX_WAITING = 50;
/** Salt and hash that no known password has: with the cost of all others before them, an account without one takes as long as any. */
const NO_PASSWORD = '1SecBiorsUh8BSNip/i4lw$XmUfIj+dDbW/pVWjyEOjmURFEQe8YA1ccFUlwL9OOfs';

/** Hashes and checks passwords, a few at a time, off the event loop. */
@Injectable()
export class Passwords {
  private running = 0;
  /** Requests that have shown something good already are served before those that may come from anywhere. */
  private readonly waiting: Readonly<Record<'known' | 'unknown', (() => void)[]>> = { known: [], unknown: [] };
  private readonly host: string;
  private readonly cost: Settings['passwordCost'];
  /** How every hash of that cost begins. */
  private readonly prefix: string;

  constructor(
    { publicUrl, passwordCost }: Settings,
    private readonly pwned: PwnedPasswords,
  ) {
    this.host = new URL(publicUrl).hostname;
    this.cost = passwordCost;
    const { memoryCost, timeCost, parallelism } = passwordCost;
    this.prefix = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;
  }

  /** @throws {ValidationError} it contains what is public of the account: address, name, host */
  requireImpersonal(password: string, { name, email }: Omit<KnownOfAccount, 'host'>): void {
    if (!isPersonalPassword(password, { name, email, host: this.host })) return;
    const message = 'password must not be the e-mail address, the name or the host of the service. Choose another one.';
    throw new ValidationError([{ field: 'password', rule: 'personal', message }]);
  }

  /**
   * The hash of a new password, in the form of {@link hashedForm}. It may wait for another service, so it is made outside
   * of units of work. For callers who have shown a good credential: they are served first.
   *
   * @throws {ValidationError} it is known from leaks of other services
   * @throws {DomainError} `overloaded`: too many passwords are waiting already
   */
  async hash(password: string): Promise<string> {
    if (await this.pwned.has(hashedForm(password))) throw pwnedPassword();
    return this.hashed(password);
  }

  /**
   * Whether it is the password of that hash. Takes equally long where there is no hash, and is then `false`. A hash may
   * be older than the form of {@link hashedForm}, so a password that is not in it is tried in both.
   *
   * @param options `isKnown`: the request has shown a device or a session of that user: it is served first
   * @throws {DomainError} `overloaded`: too many passwords are waiting already
   */
  async verify(password: string, passwordHash: string | null, { isKnown = false } = {}): Promise<boolean> {
    const line = isKnown ? 'known' : 'unknown';
    const forms = new Set([hashedForm(password), password]);
    for (const form of forms) {
      const isRight = await this.inTurn(line, () => verify(passwordHash ?? this.prefix + NO_PASSWORD, form));
      if (isRight && passwordHash !== null) return true;
    }
    return false;
  }

  /**
   * The same password hashed at today's cost; `null` where its hash is of that cost already, and where others wait for
   * theirs: that can be done another day.
   */
  async renewed(password: string, passwordHash: string | null): Promise<string | null> {
    const isOfToday = passwordHash?.startsWith(this.prefix) === true;
    const { known, unknown } = this.waiting;
    return isOfToday || known.length + unknown.length > 0 ? null : this.hashed(password);
  }

  private hashed(password: string): Promise<string> {
    return this.inTurn('known', () => hash(hashedForm(password), this.cost));
  }

  private async inTurn<Result>(line: 'known' | 'unknown', work: () => Promise<Result>): Promise<Result> {
    if (this.running >= MAX_RUNNING) await this.turn(this.waiting[line]);
    else this.running += 1;
    try {
      return await work();
    } finally {
      this.handOn();
    }
  }

  private turn(line: (() => void)[]): Promise<void> {
    if (line.length >= MAX_WAITING) {
      throw new DomainError('overloaded', 'Too many passwords are being checked. Try again in a moment.', {
        headers: { 'Retry-After': '1' },
      });
    }
    return new Promise((resolve) => line.push(resolve));
  }

  /** Gives the place to the next one in line, or frees it. */
  private handOn(): void {
    const next = this.waiting.known.shift() ?? this.waiting.unknown.shift();
    if (next) next();
    else this.running -= 1;
  }
}
