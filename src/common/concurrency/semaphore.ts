/** A fair semaphore: a fixed number of permits; acquirers wait in the order of arrival. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** @returns releases the permit; calls after the first have no effect */
  async acquire(): Promise<() => void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    let isHeld = true;
    return () => {
      if (isHeld) this.release();
      isHeld = false;
    };
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }

  private release(): void {
    const next = this.waiting.shift();
    // The permit is handed to the next acquirer without becoming free, so that no later one can take it in between.
    if (next) next();
    else this.free += 1;
  }
}
