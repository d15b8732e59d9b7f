import { countOf, RateWindows, type Count, type WindowKey } from './rate-windows.js';
import { Window } from './window.js';

/**
 * Counts in memory, each process of the service for itself. The storage of the library remembers as many clients as come,
 * and goes by a clock that may jump.
 */
export class SlidingWindows extends RateWindows {
  private readonly windows = new Map<string, Window>();

  /** @param now whole milliseconds on a clock that never jumps: a sum of fractions may be rounded up to a second more */
  constructor(private readonly now: () => number = () => Math.trunc(performance.now())) {
    super();
  }

  override draw(keys: readonly WindowKey[]): Promise<readonly Count[]> {
    return Promise.resolve(this.drawNow(keys));
  }

  override look(keys: readonly WindowKey[]): Promise<readonly Count[]> {
    return Promise.resolve(this.lookNow(keys));
  }

  /** {@link draw}, at once. */
  drawNow(keys: readonly WindowKey[]): readonly Count[] {
    const before = this.lookNow(keys);
    if (before.some(({ isBlocked }) => isBlocked)) return before;
    const now = this.now();
    for (const drawn of keys) this.windowOf(drawn).add(drawn.key, now);
    return this.lookNow(keys).map((count) => ({ ...count, isBlocked: false }));
  }

  /** {@link look}, at once. */
  lookNow(keys: readonly WindowKey[]): readonly Count[] {
    return keys.map((drawn) => {
      const { remaining, resetMs } = this.windowOf(drawn).stateOf(drawn.key, this.now());
      return countOf(drawn, drawn.limit - remaining, resetMs, remaining === 0);
    });
  }

  override giveBack(keys: readonly WindowKey[]): Promise<void> {
    this.giveBackNow(keys);
    return Promise.resolve();
  }

  /** {@link giveBack}, at once. */
  giveBackNow(keys: readonly WindowKey[]): void {
    for (const { key, window } of keys) this.windows.get(window)?.giveBack(key);
  }

  private windowOf({ window: name, limit, within }: WindowKey): Window {
    const window = this.windows.get(name) ?? new Window({ requests: limit, within });
    this.windows.set(name, window);
    return window;
  }
}
