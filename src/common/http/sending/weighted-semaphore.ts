import { overloaded } from '../../errors/overloaded.js';

interface Permit {
  readonly key: string;
  readonly weight: number;
}

interface Waiting extends Permit {
  readonly admit: (release: () => void) => void;
}

interface Limits {
  /** Weight of all permits that are held at once. */
  readonly total: number;
  /** Weight of the permits of one key: less than the total, so that no key locks the others out. */
  readonly each: number;
  /** How long an acquirer waits for a permit, milliseconds. */
  readonly waitMs: number;
}

/**
 * A fair semaphore of weighted permits with a limit for each key. Acquirers wait in the order of arrival: none overtakes
 * one that waits for the total alone, and none waits because another key has reached its own limit.
 */
export class WeightedSemaphore {
  private held = 0;
  private readonly byKey = new Map<string, number>();
  private waiting: Waiting[] = [];

  constructor(private readonly limits: Limits) {}

  /** @returns releases the permit; `null`: none is free now, or others wait */
  tryAcquire(key: string, weight: number): (() => void) | null {
    const isFree = this.waiting.length === 0 && this.held + weight <= this.limits.total;
    return isFree && this.fitsKey({ key, weight }) ? this.grant({ key, weight }) : null;
  }

  /**
   * @param weight at most the limit of a key
   * @returns releases the permit; calls after the first have no effect
   * @throws {DomainError} `overloaded`: no permit was free in time
   */
  acquire(key: string, weight: number): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((one) => one !== waiting);
        reject(overloaded('Too many long answers are on their way.'));
        this.grantWaiting();
      }, this.limits.waitMs);
      const admit = (release: () => void): void => {
        clearTimeout(timer);
        resolve(release);
      };
      const waiting = { key, weight, admit };
      this.waiting.push(waiting);
      this.grantWaiting();
    });
  }

  private fitsKey({ key, weight }: Permit): boolean {
    return (this.byKey.get(key) ?? 0) + weight <= this.limits.each;
  }

  private grant({ key, weight }: Permit): () => void {
    this.add(key, weight);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.add(key, -weight);
      this.grantWaiting();
    };
  }

  private add(key: string, weight: number): void {
    this.held += weight;
    const sum = (this.byKey.get(key) ?? 0) + weight;
    if (sum === 0) this.byKey.delete(key);
    else this.byKey.set(key, sum);
  }

  private grantWaiting(): void {
    const still: Waiting[] = [];
    let isFull = false;
    for (const one of this.waiting) {
      const fits = this.fitsKey(one);
      isFull ||= fits && this.held + one.weight > this.limits.total;
      if (fits && !isFull) one.admit(this.grant(one));
      else still.push(one);
    }
    this.waiting = still;
  }
}
