/** So many at a time; the others wait in the order in which they came. */
export class Places {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** @returns what gives the place back; called more than once it does no more than once */
  async enter(): Promise<() => void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    let isMine = true;
    return () => {
      if (isMine) this.leave();
      isMine = false;
    };
  }

  private leave(): void {
    const next = this.waiting.shift();
    // The place goes on to the next one without being free, so that none comes in between.
    if (next) next();
    else this.free += 1;
  }
}
