import { Clock } from '../../src/common/clock.js';
import { AgreedTime } from '../../src/database/units/agreed-time.js';
import type { TestApp } from './test-app.js';

/** Puts the clock of a service ahead, where it goes on until mocks are restored. */
export function putClockAhead({ app }: TestApp, seconds: number): void {
  jest.spyOn(app.get(Clock), 'now').mockImplementation(() => Date.now() + Math.round(seconds * 1_000));
}

/**
 * Has the clock of a service stand until mocks are restored: no wait is over because the machine is slow.
 *
 * @returns puts it so many seconds ahead of where it was stopped
 */
export function stopClock({ app }: TestApp, secondsAhead = 0): (seconds: number) => void {
  const stopped = Date.now() + secondsAhead * 1_000;
  const clock = jest.spyOn(app.get(Clock), 'now').mockReturnValue(stopped);
  return (seconds) => void clock.mockReturnValue(stopped + seconds * 1_000);
}

const monotonic = performance.now.bind(performance);

/** Puts the clock that never jumps ahead, where it goes on until mocks are restored. */
export function putMonotonicClockAhead(seconds: number): void {
  jest.spyOn(performance, 'now').mockImplementation(() => monotonic() + seconds * 1_000);
}

/**
 * Has the clock that never jumps stand until mocks are restored: no window ends, and nothing that is remembered comes of
 * age, because the machine is slow.
 *
 * @param start the time that it shows until more passes: whole milliseconds, of which sums and differences are exact
 * @returns lets milliseconds pass
 */
export function stopMonotonicClock(start = Math.floor(performance.now())): (milliseconds: number) => void {
  let now = start;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  return (milliseconds) => void (now += milliseconds);
}

/**
 * Has the clock that never jumps go on with each look at it, and with nothing else, until mocks are restored: work that
 * is cut into pieces by the clock has as many of them on each machine.
 */
export function tickMonotonicClock(millisecondsPerLook: number): void {
  let now = Math.floor(performance.now());
  jest.spyOn(performance, 'now').mockImplementation(() => (now += millisecondsPerLook));
}

/** The time of the clock that never jumps, for specs whose timers are fake: it only goes on as they say. */
export function fakeMonotonicTime(): number {
  return performance.now();
}

/** A moment so many milliseconds ago. */
export function ago(milliseconds: number): number {
  return Date.now() - milliseconds;
}

/**
 * Has so much time pass for a service until mocks are restored: by its clock, and by that of its database as far as
 * {@link AgreedTime} goes by it.
 */
export function passTime(service: TestApp, seconds: number): void {
  putClockAhead(service, seconds);
  const later = () => Promise.resolve(Date.now() + Math.round(seconds * 1_000));
  jest.spyOn(service.app.get(AgreedTime), 'now').mockImplementation(later);
}
