import { Injectable } from '@nestjs/common';
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { AppKeys } from '../../config/app-keys.js';
import type { ChallengePurpose } from './challenge.entity.js';

const CODE_DIGITS = 6;
/** What a guess is compared with where there is nothing to guess. */
const NO_HASH = '0'.repeat(64);

/** Six digits, zeros in front included. */
export function newCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

/**
 * Hashes codes with a key that is not in the database: there are only a million of them, so without a key any hash of
 * one, however slow, tells it to whoever reads the table.
 */
@Injectable()
export class CodeHashes {
  private readonly key: Buffer;

  constructor(keys: AppKeys) {
    this.key = keys.key('code');
  }

  /** Bound to its challenge, so that no code is good for another one. */
  of(purpose: ChallengePurpose, id: number, code: string): string {
    return createHmac('sha256', this.key).update(`${purpose}|${id}|${code}`).digest('hex');
  }

  /** In the same time, wherever they differ. */
  isRight(known: string | null, guess: string): boolean {
    const isEqual = timingSafeEqual(Buffer.from(known ?? NO_HASH), Buffer.from(guess));
    return isEqual && known !== null;
  }
}
