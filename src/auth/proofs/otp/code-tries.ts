import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../../common/access/visitor.js';
import { Settings } from '../../../config/settings.js';
import { AccountLocks } from '../../limits/account-locks.js';
import { AccountTries, codesLocked } from '../../limits/account-tries.js';
import { KnownClients, type KnownClient } from '../../limits/known-clients.js';
import type { OpenChallenge } from '../challenges/challenges.js';
import { CodeCheck } from './code-check.js';

/** Wrong codes for one address, whichever code they were meant for: a new one does not give new tries. */
export const CODE_FAILURES = { limit: 10, seconds: 900 };

/** The same in a day: without it six digits are guessed for one of a hundred accounts in some weeks. */
const CODE_FAILURES_A_DAY = { limit: 20, seconds: 86_400 };

/** What wrong codes for an address are counted by. */
export function codeCounter(emailKey: string, client: KnownClient | null): string {
  return client ? `${emailKey}\n${client.id}` : emailKey;
}

/** A code that is tried. */
export interface Guess {
  /** See `EmailAddress`. */
  readonly emailKey: string;
  readonly code: string;
}

/**
 * Counts wrong codes, for each known client of a user apart from all others. Only while a code is open: a guess without
 * an open code cannot succeed, and must not use up the tries at the next one.
 */
@Injectable()
export class CodeTries {
  constructor(
    private readonly check: CodeCheck,
    private readonly tries: AccountTries,
    private readonly locks: AccountLocks,
    private readonly knownClients: KnownClients,
    private readonly settings: Settings,
  ) {}

  /**
   * Tries a code.
   *
   * @param consume uses the challenge whose code it is
   * @returns what `consume` does; `null`: it is not the code, or there is none
   * @throws {DomainError} `too_many_requests`: ten wrong ones in a quarter of an hour, or twenty in a day, after which
   *   only the link of the mail signs in; and what `consume` throws
   */
  async try<Result>(
    { emailKey, code }: Guess,
    visitor: Visitor,
    consume: (open: OpenChallenge) => Promise<Result | null>,
  ): Promise<Result | null> {
    const client = await this.knownClients.deviceOf(visitor, emailKey, 'verify');
    const key = { purpose: 'sign_in', subject: emailKey } as const;
    if (!(await this.check.isOpen(key, client))) return null;
    const counter = codeCounter(emailKey, client);
    const isLast = await this.take(counter);
    const open = await this.check.compare(key, code, client);
    const consumed = open && (await consume(open));
    if (consumed) await this.forgive(counter);
    else if (isLast) this.locks.begin('code', emailKey, visitor);
    return consumed;
  }

  /** @returns whether it was the last one for now, or for the day */
  private async take(counter: string): Promise<boolean> {
    const isLast = await this.tries.requireOf('code', counter, CODE_FAILURES);
    if (!this.hasLink) return isLast;
    return (await this.tries.requireOf('code_day', counter, CODE_FAILURES_A_DAY, codesLocked)) || isLast;
  }

  /** Of the day only this one: otherwise each sign-in of the owner would give others twenty more. */
  private async forgive(counter: string): Promise<void> {
    await this.tries.forget('code', counter);
    if (this.hasLink) await this.tries.giveBack('code_day', counter);
  }

  /** Without a link in the mail, tries of strangers would keep the owner out for a day. */
  private get hasLink(): boolean {
    return this.settings.signIn.methods.has('magic-link');
  }
}
