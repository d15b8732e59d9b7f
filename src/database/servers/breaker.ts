/** So many tries in a row that fail show that a server is gone. */
const MAX_FAILURES = 5;
/** So many answers in a row show that it is there again. */
const GOOD_PROBES = 2;
/** Connections that may be opened in the first second after that; twice as many in each that follows. */
const FIRST_PER_SECOND = 2;
/** After so many seconds they are as many as are wanted. */
const RAMP_SECONDS = 5;

/**
 * Keeps requests from a server that does not answer, and has connections come back to it by and by: all clients at once
 * would hit a server that has just started.
 */
export class Breaker {
  private failures = 0;
  private answers = 0;
  private isDown = false;
  private closedAt = -Infinity;
  private second = -1;
  private openedInSecond = 0;

  /**
   * @param changed is called when it has opened, and when it has closed
   * @param now milliseconds of a clock that never goes back
   */
  constructor(
    private readonly changed: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get isOpen(): boolean {
    return this.isDown;
  }

  /** The server has answered something. */
  succeeded(): void {
    this.failures = 0;
  }

  /** A connection could not be opened, or a probe was not answered. */
  failed(): void {
    this.failures += 1;
    if (this.failures >= MAX_FAILURES) this.open();
  }

  open(): void {
    if (this.isDown) return;
    this.isDown = true;
    this.answers = 0;
    this.changed();
  }

  /** Takes the result of a probe, which alone closes the breaker. */
  probed(isAnswered: boolean): void {
    if (!this.isDown) {
      if (isAnswered) this.succeeded();
      else this.failed();
      return;
    }
    this.answers = isAnswered ? this.answers + 1 : 0;
    if (this.answers >= GOOD_PROBES) this.close();
  }

  /**
   * Asks for a connection to be opened.
   *
   * @returns 0: it may be, and is counted; otherwise after how many milliseconds to ask again
   */
  admit(): number {
    const since = this.now() - this.closedAt;
    const second = Math.floor(since / 1_000);
    if (second >= RAMP_SECONDS) return 0;
    if (second !== this.second) {
      this.second = second;
      this.openedInSecond = 0;
    }
    if (this.openedInSecond >= FIRST_PER_SECOND * 2 ** second) return Math.ceil(1_000 - (since % 1_000));
    this.openedInSecond += 1;
    return 0;
  }

  private close(): void {
    this.isDown = false;
    this.failures = 0;
    this.closedAt = this.now();
    this.second = -1;
    this.changed();
  }
}
