import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { AccountTries } from '../../limits/account-tries.js';
import type { KnownClient } from '../../limits/known-clients.js';
import { Challenges, MAX_ATTEMPTS, type ChallengeKey, type OpenChallenge } from '../challenges/challenges.js';
import { CodeHashes } from '../challenges/code-hashes.js';

/** At one code from all known devices of a user: each sign-in makes one more of them. */
const MAX_DEVICE_ATTEMPTS = 15;

/**
 * Compares codes, each at the price of an attempt. Known devices have attempts of their own: those of others leave a
 * code good for them.
 */
@Injectable()
export class CodeCheck {
  constructor(
    private readonly challenges: Challenges,
    private readonly hashes: CodeHashes,
    private readonly tries: AccountTries,
    private readonly settings: Settings,
  ) {}

  /** Whether there is a code that may be tried from there, to whichever place it was sent. Takes no attempt. */
  async isOpen(key: ChallengeKey, client: KnownClient | null): Promise<boolean> {
    const { codeSeconds } = this.settings.signIn;
    return (await this.challenges.openCode(key, codeSeconds, client ? Infinity : undefined)) !== null;
  }

  /** `null`: it is not the code, or there is none. Either takes as long. */
  async compare(key: ChallengeKey, code: string, client: KnownClient | null): Promise<OpenChallenge | null> {
    const { codeSeconds } = this.settings.signIn;
    const open = client ? await this.takeOwn(key, client) : await this.challenges.takeAttempt(key, codeSeconds);
    return this.hashes.isRight(open?.codeHash ?? null, key.purpose, open?.id ?? 0, code) ? open : null;
  }

  private async takeOwn(key: ChallengeKey, { id }: KnownClient): Promise<OpenChallenge | null> {
    const { codeSeconds } = this.settings.signIn;
    const open = await this.challenges.openCode(key, codeSeconds, Infinity);
    if (!open) return null;
    // A challenge keeps its row while its codes follow each other.
    const counter = `${open.codeHash}\n${id}`;
    const own = { limit: MAX_ATTEMPTS, seconds: codeSeconds };
    if (!(await this.tries.takeOf('code_attempt', counter, own))) return null;
    const all = { limit: MAX_DEVICE_ATTEMPTS, seconds: codeSeconds };
    return (await this.tries.takeOf('code_attempt', `${open.codeHash}\ndevices`, all)) ? open : null;
  }
}
