import type { Reader } from '../../database/statements/reads.js';

const DAY_MS = 86_400_000;
/** Records go out of the trash after 30 days, by a job of each hour. */
const TRASH_LATE_MS = 31 * DAY_MS;
/** Deltas are folded each five seconds until there are none. */
const MOST_DELTAS = 50_000;

/** Backlogs of the background jobs of records. */
export interface OverdueJobs {
  /** Changes of counts that wait to be folded in; 0: not too many do. */
  readonly deltas: number;
  /** Records that should have left the trash a day ago. */
  readonly trash: number;
}

interface Row {
  readonly n: number | string;
}

/** @param now milliseconds since 1970, UTC */
export async function overdueJobs(reader: Reader, now: number): Promise<OverdueJobs> {
  const [deltas] = await reader.select<Row>(
    `SELECT COUNT(*) AS n FROM (SELECT id FROM record_deltas LIMIT ${MOST_DELTAS + 1}) waiting`,
  );
  const [trash] = await reader.select<Row>(
    'SELECT COUNT(*) AS n FROM records WHERE trashed_at > 0 AND trashed_at < ?',
    [now - TRASH_LATE_MS],
  );
  const waiting = Number(deltas?.n ?? 0);
  return { deltas: waiting > MOST_DELTAS ? waiting : 0, trash: Number(trash?.n ?? 0) };
}
