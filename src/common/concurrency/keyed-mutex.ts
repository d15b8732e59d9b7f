import { overloaded } from '../errors/overloaded.js';

interface WaitQueue {
  /** Ends with the last of it. */
  readonly tail: Promise<unknown>;
  readonly length: number;
}

interface Limits {
  readonly length: number;
  readonly waitMs: number;
}

const LIMITS: Limits = { length: 500, waitMs: 10_000 };

/** Runs work on one thing in order. Writers of one record wait here and not in the database, with a connection each. */
export class KeyedMutex<Key> {
  private readonly queues = new Map<Key, WaitQueue>();

  constructor(private readonly limits = LIMITS) {}

  lengthOf(key: Key): number {
    return this.queues.get(key)?.length ?? 0;
  }

  /** @throws {DomainError} `overloaded`: too much waits already, or its turn did not come in time */
  run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const { tail: previous = Promise.resolve(), length = 0 } = this.queues.get(key) ?? {};
    if (length >= this.limits.length) return Promise.reject(tooMany());
    const until = performance.now() + this.limits.waitMs;
    const result = previous.then(() => (performance.now() > until ? Promise.reject(tooMany()) : work()));
    const end = (): void => {
      const queue = this.queues.get(key);
      if (queue && queue.length > 1) this.queues.set(key, { ...queue, length: queue.length - 1 });
      else this.queues.delete(key);
    };
    const tail = result.then(end, end);
    this.queues.set(key, { tail, length: length + 1 });
    return result;
  }
}

function tooMany(): Error {
  return overloaded('Too many requests wait for the same thing.');
}
