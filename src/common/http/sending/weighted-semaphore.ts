import { overloaded } from '../../errors/overloaded.js';

interface Permit {
  readonly key: string;
  readonly weight: number;
}

interface Waiting extends Permit {
  readonly admit: (leave: () => void) => void;
}

interface Limits {
  /** What may be under way at once, of all keys together. */
  readonly total: number;
  /** Of one key: less than all, so that none keeps the others out. */
  readonly each: number;
  /** How long something waits to be let in. */
  readonly waitMs: number;
}

/**
 * Permits for what is under way, by its weight. What finds none waits, in the order of arrival: nothing passes what only
 * waits for a permit of all, and nothing waits for what another key has too much of.
 */
export class WeightedSemaphore {
  private taken = 0;
  private readonly byKey = new Map<string, number>();
  private waiting: Waiting[] = [];

  constructor(private readonly limits: Limits) {}

  /** @returns what gives the permit back, or `null`: there is none now, or others wait for one */
  tryAcquire(key: string, weight: number): (() => void) | null {
    const isFree = this.waiting.length === 0 && this.taken + weight <= this.limits.total;
    return isFree && this.hasShareFor({ key, weight }) ? this.take({ key, weight }) : null;
  }

  /**
   * @param weight no more than a key may have
   * @returns what gives the permit back
   * @throws {DomainError} `overloaded`: there was no permit in time
   */
  acquire(key: string, weight: number): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((one) => one !== waiting);
        reject(overloaded('Too many long answers are on their way.'));
        this.admitWaiting();
      }, this.limits.waitMs);
      const admit = (leave: () => void): void => {
        clearTimeout(timer);
        resolve(leave);
      };
      const waiting = { key, weight, admit };
      this.waiting.push(waiting);
      this.admitWaiting();
    });
  }

  private hasShareFor({ key, weight }: Permit): boolean {
    return (this.byKey.get(key) ?? 0) + weight <= this.limits.each;
  }

  private take({ key, weight }: Permit): () => void {
    this.add(key, weight);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.add(key, -weight);
      this.admitWaiting();
    };
  }

  private add(key: string, weight: number): void {
    this.taken += weight;
    const sum = (this.byKey.get(key) ?? 0) + weight;
    if (sum === 0) this.byKey.delete(key);
    else this.byKey.set(key, sum);
  }

  private admitWaiting(): void {
    const still: Waiting[] = [];
    let isFull = false;
    for (const one of this.waiting) {
      const hasShare = this.hasShareFor(one);
      isFull ||= hasShare && this.taken + one.weight > this.limits.total;
      if (hasShare && !isFull) one.admit(this.take(one));
      else still.push(one);
    }
    this.waiting = still;
  }
}
