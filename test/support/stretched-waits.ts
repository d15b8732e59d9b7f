/** Only a hang takes that long. */
const HANG_MS = 240_000;

/**
 * Has waits of exactly so many milliseconds last for minutes until mocks are restored: what a service gives up after some
 * seconds may take longer on a slow machine.
 */
export function stretchWaits(...milliseconds: readonly number[]): void {
  const begin = globalThis.setTimeout;
  const stretched = (work: () => void, ms = 0): NodeJS.Timeout => begin(work, milliseconds.includes(ms) ? HANG_MS : ms);
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(stretched);
}
