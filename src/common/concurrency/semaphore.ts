/** So many at a time; the others wait in the order in which they came. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** @returns what gives the permit back; called more than once it does no more than once */
  async acquire(): Promise<() => void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    let isMine = true;
    return () => {
      if (isMine) this.release();
      isMine = false;
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
    // The permit goes on to the next one without being free, so that none comes in between.
    if (next) next();
    else this.free += 1;
  }
}
