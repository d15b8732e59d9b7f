/** A step that comes so many milliseconds after the one before it is in time. */
const STEP_MS = 20;
const SECOND_MS = 1_000;
const SECONDS = 5;
/** One or two long steps, such as a large answer, are no overload. */
const LEAST_LATE_STEPS = 3;
const LATE_PART = 0.01;

/** How many steps the loop made in a second, and how many of them were late. */
interface Second {
  readonly steps: number;
  readonly lateSteps: number;
}

/** Knows whether the event loop is late again and again, as it is where more arrives than can be done. */
export class LoopDelay {
  private seconds: readonly Second[] = [];
  private current: Second = { steps: 0, lateSteps: 0 };
  private currentSince: number;
  private isOver = false;

  /**
   * @param limitMs of the 99th percentile of the delays
   * @param lastStepAt milliseconds of a monotonic clock
   */
  constructor(
    private readonly limitMs: number,
    private lastStepAt: number,
  ) {
    this.currentSince = lastStepAt;
  }

  /** Begins to look at the loop of this process. @returns what ends it */
  static watch(limitMs: number): { readonly isLate: () => boolean; readonly end: () => void } {
    if (limitMs === 0) return { isLate: () => false, end: () => undefined };
    const delay = new LoopDelay(limitMs, performance.now());
    const timer = setInterval(() => {
      delay.step(performance.now());
    }, STEP_MS).unref();
    const end = (): void => {
      clearInterval(timer);
    };
    return { isLate: () => delay.isLate, end };
  }

  get isLate(): boolean {
    return this.isOver;
  }

  /** Takes a step of the loop into account: the first one after each second judges the last five. */
  step(nowMs: number): void {
    const isLate = nowMs - this.lastStepAt - STEP_MS > this.limitMs;
    const { steps, lateSteps } = this.current;
    this.current = { steps: steps + 1, lateSteps: lateSteps + (isLate ? 1 : 0) };
    this.lastStepAt = nowMs;
    if (nowMs - this.currentSince < SECOND_MS) return;
    this.judge();
    this.current = { steps: 0, lateSteps: 0 };
    this.currentSince = nowMs;
  }

  /** After a second in time a late loop has five seconds again: what was refused is not there to make it late. */
  private judge(): void {
    const isInTimeAgain = this.isOver && this.current.lateSteps === 0;
    this.seconds = isInTimeAgain ? [] : [...this.seconds, this.current].slice(-SECONDS);
    const lateSteps = total(this.seconds, 'lateSteps');
    this.isOver =
      this.seconds.length === SECONDS &&
      lateSteps >= LEAST_LATE_STEPS &&
      lateSteps > LATE_PART * total(this.seconds, 'steps');
  }
}

function total(seconds: readonly Second[], what: keyof Second): number {
  return seconds.reduce((sum, second) => sum + second[what], 0);
}
