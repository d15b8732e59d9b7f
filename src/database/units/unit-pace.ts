import { setTimeout as sleep } from 'node:timers/promises';
import { LOCK_PAUSES_MS } from '../dialect/dialect.js';

/** CPU time for which a unit of a long task is meant to hold the one lock of SQLite: the next one is cut to fit. */
const HELD_MS = 45;
/** Units that follow each other closely are one to a process that waits for the lock between its tries. */
const HELD_IN_A_ROW_MS = 90;
/** Longer than any pause between two tries, so that each process that waits has one while the lock is free. */
const FREE_MS = LOCK_PAUSES_MS.longest + 2;
const FIRST = 100;
const MOST = 1_000;
/** A statement with all that a unit writes has to fit into a packet of the server, and its words take eight times as much. */
const BYTES = 2_000;
const GROWTH = 1.5;
/** One unit that met a busy disk says little about the next one. */
const SHRINKING = 4;

/** The weight of an item: 1, and more for the length of its text. */
export function weightOf(bytes: number): number {
  return 1 + bytes / BYTES;
}

interface PaceOptions {
  /** True if each unit keeps all other writers waiting. */
  readonly hasOneLock: boolean;
  readonly most?: number;
}

/**
 * Sizes the units of work of a long task by CPU time, so that other writers hardly wait for the one lock of SQLite, and
 * leaves it free between units.
 */
export class UnitPace {
  private current: number;
  private freeSince = -Infinity;
  private heldInARow = 0;

  private readonly hasOneLock: boolean;
  private readonly most: number;

  constructor({ hasOneLock, most = MOST }: PaceOptions) {
    this.hasOneLock = hasOneLock;
    this.most = most;
    this.current = hasOneLock ? FIRST : most;
  }

  /** The most that the items of the next unit may weigh together; one item is always allowed. */
  get capacity(): number {
    return Math.max(1, Math.floor(this.current));
  }

  /** @param unit calls `begun` when it holds the lock, each time that it is tried */
  async run<Result>(weight: number, unit: (begun: () => void) => Promise<Result>): Promise<Result> {
    if (this.hasOneLock) await this.leaveFree();
    let since = now();
    try {
      return await unit(() => (since = now()));
    } finally {
      const until = now();
      const ms = until.clock - since.clock;
      if (this.hasOneLock) {
        this.freeSince = until.clock;
        this.heldInARow += ms;
        this.adapt(weight, Math.min(until.cpu - since.cpu, ms));
      }
    }
  }

  private async leaveFree(): Promise<void> {
    const free = performance.now() - this.freeSince;
    if (free < FREE_MS && this.heldInARow + HELD_MS <= HELD_IN_A_ROW_MS) return;
    this.heldInARow = 0;
    if (free < FREE_MS) await sleep(FREE_MS - free);
  }

  private adapt(weight: number, ms: number): void {
    const fitting = (weight * HELD_MS) / ms;
    if (ms > HELD_MS) this.current = Math.max(1, this.current / SHRINKING, Math.min(this.current, fitting));
    // A unit that was smaller than allowed says nothing of a full one.
    else if (weight * 2 >= this.current) this.current = Math.min(this.most, this.current * GROWTH, fitting);
  }
}

/** Milliseconds by the clock and of the CPU. On a busy machine the clock shows more of other work than of the unit. */
function now(): { clock: number; cpu: number } {
  const { user, system } = process.cpuUsage();
  return { clock: performance.now(), cpu: (user + system) / 1_000 };
}
