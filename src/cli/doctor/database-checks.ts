import { AccountTries, waitsAhead } from '../../auth/limits/account-tries.js';
import { appliedMigrations, MIGRATION_NAMES } from '../../database/schema/migrate.js';
import { NewerSchemaError, unfitMigrations } from '../../database/schema/newer-schema-error.js';
import { Reads } from '../../database/statements/reads.js';
import { mailBacklog } from '../../mail/backlog.js';
import { overdueJobs } from '../../records/checks/overdue-jobs.js';
import { latestWrite } from '../../records/rows/latest-write.js';
import type { Check, OpenDatabase, CheckResult } from './check.js';

/** Whether the tables are those of this version. */
export const migrationsCheck: Check<OpenDatabase> = {
  name: 'migrations',
  async look({ source }) {
    const runner = source.createQueryRunner();
    try {
      return [seen(await appliedMigrations(runner))];
    } finally {
      await runner.release();
    }
  },
};

function seen(applied: readonly string[]): CheckResult {
  const unfit = unfitMigrations(applied);
  if (unfit.length > 0) return { ok: false, message: new NewerSchemaError(unfit).message };
  const pending = MIGRATION_NAMES.filter((name) => !applied.includes(name));
  if (pending.length === 0) return { ok: true, message: 'up to date' };
  return { ok: false, message: `${pending.length} pending: ${pending.join(', ')}. Run: npm run migrate.` };
}

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
    const ended = await (await service.get(AccountTries)).endAllAhead();
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

/**
 * Whether background jobs have done what they should have, by what they leave in the database. When each last ended well is
 * known to its process alone, and measured there (`cms_chore_last_success`).
 */
export const jobsCheck: Check<OpenDatabase> = {
  name: 'jobs',
  async look({ source }) {
    const { deltas, trash } = await overdueJobs(new Reads(source), Date.now());
    const faults = [
      ...(deltas > 0 ? [`records.fold-counts is late: more than ${deltas - 1} changes of counts wait`] : []),
      ...(trash > 0
        ? [`records.purge-trash is late: ${trash} records have been in the trash for more than 31 days`]
        : []),
    ];
    if (faults.length === 0) return [{ ok: true, message: 'nothing that jobs do is overdue' }];
    return faults.map((fault) => ({
      ok: false,
      message: `${fault}. Is an instance running? If so, its log says why, and the alert ContentServiceJobIsLate which.`,
    }));
  },
};

/** Whether mails leave the queue. */
export const lettersCheck: Check<OpenDatabase> = {
  name: 'letters',
  async look({ source }) {
    const { waiting, late, abandoned, lastError } = await mailBacklog(new Reads(source), Date.now());
    const faults = [];
    if (late > 0) {
      const reason =
        lastError === null ? 'None was tried: is an instance running?' : `The oldest failed with: ${lastError}`;
      faults.push(`Mails that have waited for more than five minutes: ${late}. ${reason}`);
    }
    if (abandoned > 0) {
      faults.push(`Mails in hand of a process that has died, and taken by no other: ${abandoned}. Start an instance.`);
    }
    if (faults.length > 0) return faults.map((message) => ({ ok: false, message }));
    return [{ ok: true, message: waiting === 0 ? 'no mail waits' : `mails that wait: ${waiting}, none for long` }];
  },
};
