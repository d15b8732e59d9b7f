import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Challenges, type ChallengeKey, type OpenChallenge } from './challenges.js';
import { CodeHashes } from './code-hashes.js';

/** Compares codes, each at the price of an attempt. */
@Injectable()
export class CodeCheck {
  constructor(
    private readonly challenges: Challenges,
    private readonly hashes: CodeHashes,
    private readonly settings: Settings,
  ) {}

  /** `null`: it is not the code, or there is none. Either takes as long. */
  async compare(key: ChallengeKey, code: string): Promise<OpenChallenge | null> {
    const open = await this.challenges.takeAttempt(key, this.settings.signIn.codeSeconds);
    const guess = this.hashes.of(key.purpose, open?.id ?? 0, code);
    return this.hashes.isRight(open?.codeHash ?? null, guess) ? open : null;
  }
}
