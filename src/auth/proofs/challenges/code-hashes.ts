import { Injectable } from '@nestjs/common';
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { AppKeys } from '../../../config/values/app-keys.js';
import type { ChallengePurpose } from '../../secrets/challenge.entity.js';

const CODE_DIGITS = 6;
/** What a guess is compared with where there is nothing to guess. */
const NO_HASH = '0'.repeat(64);

/** Six digits, zeros in front included. */
export function newCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

/**
 * Hashes codes with a key that is not in the database: there are only a million of them, so without a key any hash of
 * one, however slow, shows it to a reader of the table.
 */
@Injectable()
export class CodeHashes {
  private readonly keys: readonly Buffer[];

  constructor(keys: AppKeys) {
    this.keys = keys.keys('code');
  }

  /** Bound to its challenge, so that no code is good for another one. */
  of(purpose: ChallengePurpose, id: number, code: string): string {
    return this.hashes(purpose, id, code)[0] ?? NO_HASH;
  }

  /** Whether the code is the one with the hash, in the same time wherever they differ; `null`: there is none. */
  isRight(known: string | null, purpose: ChallengePurpose, id: number, code: string): boolean {
    const wanted = Buffer.from(known ?? NO_HASH);
    const equal = this.hashes(purpose, id, code).filter((hash) => timingSafeEqual(wanted, Buffer.from(hash)));
    return equal.length > 0 && known !== null;
  }

  /** By each secret that may have been in use, the present one first. */
  private hashes(purpose: ChallengePurpose, id: number, code: string): string[] {
    return this.keys.map((key) => createHmac('sha256', key).update(`${purpose}|${id}|${code}`).digest('hex'));
  }
}
