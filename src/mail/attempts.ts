import type { Letter } from './letter.js';

const FIRST_PAUSE_MS = 2_000;
export const LONGEST_PAUSE_MS = 3_600_000;
const MAX_REASON = 200;

/**
 * How long to wait after so many attempts: twice as long each time, and somewhat at random, so that mails which
 * failed together do not come back together.
 *
 * @returns milliseconds
 */
export function pauseAfter(attempts: number, chance: number = Math.random()): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1));
  return Math.round(pause * (0.5 + chance / 2));
}

/** A failure in a few words. Filters like to quote what they do not like, so whatever opens an account is taken out. */
export function reasonOf(error: unknown, { code }: Letter): string {
  const message = error instanceof Error ? error.message : String(error);
  const withoutLinks = message.replace(/[\p{Cc}\s]+/gu, ' ').replace(/https?:\/\/\S+/gi, '(link)');
  const safe = code === undefined || code === '' ? withoutLinks : withoutLinks.replaceAll(code, '(code)');
  return safe.slice(0, MAX_REASON);
}
