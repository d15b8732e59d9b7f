import { Clock } from '../../src/common/clock.js';
import type { TestApp } from './test-app.js';

/** Puts the clock of a service ahead, where it goes on until mocks are restored. */
export function putClockAhead({ app }: TestApp, seconds: number): void {
  jest.spyOn(app.get(Clock), 'now').mockImplementation(() => Date.now() + Math.round(seconds * 1_000));
}
