import { overloaded } from '../../common/errors/overloaded.js';

/**
 * A semaphore with a bounded queue: runs a few expensive operations at a time, and refuses callers when too many wait.
 */
export class BoundedSemaphore {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting: number,
  ) {}

  /** @throws {DomainError} `overloaded` */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.atOnce) await this.wait();
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // The place goes straight to the next waiting run, so that no later one gets it in between.
      if (next) next();
      else this.running -= 1;
    }
  }

  private wait(): Promise<void> {
    if (this.waiting.length >= this.mostWaiting) throw overloaded('Too many searches are waiting.');
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
