const FIRST_MS = 5_000;

/** The pause after a failure: 5 s at first, and twice as long after each failure that follows. */
export class RetryPause {
  private ms = FIRST_MS;
  /** On the clock that never jumps. */
  private until = 0;

  get isOver(): boolean {
    return performance.now() >= this.until;
  }

  /** @param mostMs the longest pause after a failure of this kind, in milliseconds */
  begin(mostMs: number): void {
    const ms = Math.min(this.ms, mostMs);
    this.until = performance.now() + ms;
    this.ms = 2 * ms;
  }

  /** After a success. */
  reset(): void {
    this.ms = FIRST_MS;
  }
}
