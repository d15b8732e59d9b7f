import { isInstant } from '../common/schema/formats.js';

/** The milliseconds since 1970 (UTC) that a revision may have, first and last. */
export interface Instant {
  readonly from: number;
  readonly to: number;
}

const SECONDS = /^\d{10}$/;
const MILLISECONDS = /^\d{1,16}$/;

/**
 * What a path calls a revision: `1767225600123`, `2026-01-01T00:00:00.123Z`, or `1767225600` for any in that second.
 * `null` for what no revision can be called.
 */
export function instantOf(text: string): Instant | null {
  if (SECONDS.test(text)) return { from: Number(text) * 1_000, to: Number(text) * 1_000 + 999 };
  const ts = MILLISECONDS.test(text) ? Number(text) : isInstant(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
  return Number.isSafeInteger(ts) ? { from: ts, to: ts } : null;
}
