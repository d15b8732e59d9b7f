import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { UNIT_LIMIT_MS } from './unit-of-work.js';

/** For the `COMMIT`, which begins within the limit and ends a little later. */
const COMMIT_MS = 1_000;

/** Units of work of all processes that have begun before a moment. */
@Injectable()
export class EarlierUnits {
  /** Resolves when they have ended: those that are older than the limit are undone where several servers take writes. */
  async ended(): Promise<void> {
    await sleep(UNIT_LIMIT_MS + COMMIT_MS);
  }
}
