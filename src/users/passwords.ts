import { Injectable } from '@nestjs/common';
import { hash, verify, type Options } from '@node-rs/argon2';
import { DomainError } from '../common/errors/domain-error.js';

/** Argon2id (the default of the library) with the least that OWASP recommends: 19 MiB, two passes. */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** How every hash of that cost begins. */
const COST_PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';
/** Hashes at once: more would only take threads away from everything else. */
const MAX_RUNNING = 2;
const MAX_WAITING = 50;
/** A hash of the same cost as all others that no known password has: an account without one takes as long as any. */
const NOBODY = `${COST_PREFIX}1SecBiorsUh8BSNip/i4lw$XmUfIj+dDbW/pVWjyEOjmURFEQe8YA1ccFUlwL9OOfs`;

/** Hashes and checks passwords, a few at a time, off the event loop. */
@Injectable()
export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @throws {DomainError} `overloaded`: too many passwords are waiting already */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password, COST));
  }

  /**
   * Whether it is the password of that hash. Takes equally long where there is no hash, and is then `false`.
   *
   * @throws {DomainError} `overloaded`: too many passwords are waiting already
   */
  async verify(password: string, passwordHash: string | null): Promise<boolean> {
    const isRight = await this.inTurn(() => verify(passwordHash ?? NOBODY, password));
    return isRight && passwordHash !== null;
  }

  /**
   * The same password hashed at today's cost; `null` where its hash is of that cost already, and where others wait for
   * theirs: that can be done another day.
   */
  async renewed(password: string, passwordHash: string | null): Promise<string | null> {
    const isOfToday = passwordHash?.startsWith(COST_PREFIX) === true;
    return isOfToday || this.waiting.length > 0 ? null : this.hash(password);
  }

  private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= MAX_RUNNING) await this.turn();
    else this.running += 1;
    try {
      return await work();
    } finally {
      this.handOn();
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.length >= MAX_WAITING) {
      throw new DomainError('overloaded', 'Too many passwords are being checked. Try again in a moment.', {
        headers: { 'Retry-After': '1' },
      });
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Gives the place to the next one in line, or frees it. */
  private handOn(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}
