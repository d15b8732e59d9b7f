import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
const LOOK_EVERY_MS = 1_000;
/** One long step within so many looks is no overload: of the steps in between, three have to be long. */
const LOOKS = 5;
const NANOSECONDS = 1_000_000;

/** What is read of the delays of the event loop. */
export type Delays = Pick<IntervalHistogram, 'percentile' | 'reset'>;

/** Knows whether the event loop is late again and again, as it is where more arrives than can be done. */
export class LoopDelay {
  private isOver = false;
  private looks = 0;

  /** @param limitMs of the 99th percentile of the delays */
  constructor(
    private readonly limitMs: number,
    private readonly delays: Delays,
  ) {}

  /** Begins to look at the loop of this process. @returns what ends it */
  static watch(limitMs: number): { readonly isLate: () => boolean; readonly end: () => void } {
    if (limitMs === 0) return { isLate: () => false, end: () => undefined };
    const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    histogram.enable();
    const delay = new LoopDelay(limitMs, histogram);
    const timer = setInterval(() => {
      delay.look();
    }, LOOK_EVERY_MS).unref();
    const end = (): void => {
      clearInterval(timer);
      histogram.disable();
    };
    return { isLate: () => delay.isLate, end };
  }

  get isLate(): boolean {
    return this.isOver;
  }

  /** Takes five looks to find the loop late, and one to find it in time again. */
  look(): void {
    this.looks += 1;
    if (!this.isOver && this.looks < LOOKS) return;
    this.isOver = this.delays.percentile(99) / NANOSECONDS > this.limitMs;
    this.looks = 0;
    this.delays.reset();
  }
}
