const FAILURES = 3;
const FIRST_MS = 2_000;
const LONGEST_MS = 30_000;

/** Leaves something alone that has failed three times in a row: for two seconds, and twice as long with each try that fails. */
export class CircuitBreaker {
  private failures = 0;
  private nextMs = FIRST_MS;
  private until = -Infinity;

  /** @param now milliseconds on a clock that never jumps */
  constructor(private readonly now: () => number = () => performance.now()) {}

  get isOn(): boolean {
    return this.now() < this.until;
  }

  /** @returns whether it works again, after a rest */
  succeeded(): boolean {
    const isBack = this.failures >= FAILURES && !this.isOn;
    if (this.isOn) return false;
    this.failures = 0;
    this.nextMs = FIRST_MS;
    return isBack;
  }

  /** @returns whether a first rest begins */
  failed(): boolean {
    // Of many that were under way together, one is the reason of the rest.
    if (this.isOn) return false;
    this.failures += 1;
    if (this.failures < FAILURES) return false;
    this.until = this.now() + this.nextMs;
    this.nextMs = Math.min(LONGEST_MS, this.nextMs * 2);
    return this.failures === FAILURES;
  }
}
