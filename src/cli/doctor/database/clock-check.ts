import { TryCounters, waitsAhead } from '../../../auth/limits/try-counters.js';
import { Reads } from '../../../database/statements/reads.js';
import { latestWrite } from '../../../records/rows/latest-write.js';
import type { Check, OpenDatabase, CheckResult } from '../check.js';

/** The alert on the metric has the same. */
const MAX_SKEW_MS = 1_000;
/** A record that is written again and again runs ahead of the clock, but not by so much. */
const MAX_AHEAD_MS = 60_000;

/** Whether the clocks of this machine and of the database agree, and records were written by clocks that did. */
export const clockCheck: Check<OpenDatabase> = {
  name: 'clock',
  async look({ source, dialect }) {
    const before = Date.now();
    const [row] = await new Reads(source).select<{ now: number | string }>(`SELECT ${dialect.now} AS now`);
    const now = Number(row?.now);
    // Between the two the database has looked at its own.
    const skew = Math.max(before - now, now - Date.now(), 0);
    const ahead = (await latestWrite(source.manager)) - now;
    const waits = await waitsAhead(new Reads(source), dialect, Date.now());
    return [
      skewSeen(skew),
      ...(ahead > MAX_AHEAD_MS ? [aheadSeen(ahead)] : []),
      ...(waits > 0 ? [waitsSeen(waits)] : []),
    ];
  },
  async repair(_, service) {
    const ended = await (await service.get(TryCounters)).endAllAhead();
    return ended > 0 ? [`ended ${ended} waits of sign-in that were written by a clock ahead`] : [];
  },
};

function skewSeen(skew: number): CheckResult {
  if (skew <= MAX_SKEW_MS) return { ok: true, message: 'the clocks of this machine and the database agree' };
  return {
    ok: false,
    message: `The clocks of this machine and the database differ by ${(skew / 1_000).toFixed(1)} s. Set both by NTP; from a minute on instances are not ready.`,
  };
}

function aheadSeen(ahead: number): CheckResult {
  const seconds = Math.round(ahead / 1_000);
  return {
    ok: false,
    message: `The record that was changed last was changed ${seconds} s from now: a clock was ahead when it was written, or is behind now. Set the clocks right; writing it again gives it a later time still until then.`,
  };
}

function waitsSeen(waits: number): CheckResult {
  return {
    ok: false,
    message: `Waits of sign-in that end later than any can: ${waits}. A clock was ahead when they began; they count as over. Run: npm run cli -- doctor --repair.`,
  };
}
