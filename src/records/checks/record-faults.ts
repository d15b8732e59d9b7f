import { isOfNoType } from '../../content-types/store/type-rows.js';
import { selectIds, type Reader, selectNumber } from '../../database/statements/reads.js';
import { isOfNoTerm } from '../../taxonomy/terms/terms-without-taxonomy.js';
import { REMOVED } from '../counting/record-counts.js';
import { HAS_STATUS } from '../rows/record-portions.js';
import { TERMS_KEY } from '../rows/record-row.js';

/** Ids of records whose type is not there, and was not just deleted: those are being removed, as a counter of their own says. */
export function recordsWithoutType(reader: Reader): Promise<number[]> {
  const sql = `SELECT id FROM records WHERE ${isOfNoType('type_id')}
    AND type_id NOT IN (SELECT type_id FROM record_counts WHERE status = ?) ORDER BY id`;
  return selectIds(reader, sql, [REMOVED]);
}

/** Ids of records whose status is none that there is. */
export function recordsOfNoStatus(reader: Reader): Promise<number[]> {
  return selectIds(reader, `SELECT r.id FROM records r WHERE NOT (${HAS_STATUS}) ORDER BY r.id`);
}

/** Ids of records that are gone and have left contents. */
export function contentsWithoutRecord(reader: Reader): Promise<number[]> {
  // By keys alone: no text is read.
  const sql = `SELECT c.record_id AS id FROM record_contents c LEFT JOIN records r ON r.id = c.record_id
    WHERE r.id IS NULL ORDER BY c.record_id`;
  return selectIds(reader, sql);
}

/**
 * Ids of terms that records hold and that are not there. Those that were removed or merged are left out: records let go of
 * them over time.
 */
export function assignmentsWithoutTerm(reader: Reader): Promise<number[]> {
  const held = 'SELECT DISTINCT CAST(num AS SIGNED INTEGER) AS id FROM record_fields WHERE field_id = ?';
  return selectIds(reader, `SELECT id FROM (${held}) held WHERE ${isOfNoTerm('id')} ORDER BY id`, [TERMS_KEY]);
}

/** Records go out of the trash after 30 days, by a job of each hour. */
const TRASH_LATE_MS = 31 * 86_400_000;
/** Deltas are folded each five seconds until there are none. */
const MOST_DELTAS = 50_000;

/** Backlogs of the background jobs of records, a sentence each. @param now milliseconds since 1970, UTC */
export async function overdueJobs(reader: Reader, now: number): Promise<string[]> {
  const [delta] = await selectIds(reader, `SELECT id FROM record_deltas LIMIT 1 OFFSET ${MOST_DELTAS}`);
  const trash = 'SELECT COUNT(*) AS n FROM records WHERE trashed_at > 0 AND trashed_at < ?';
  const late = await selectNumber(reader, trash, [now - TRASH_LATE_MS]);
  return [
    ...(delta === undefined ? [] : [`records.fold-counts is late: more than ${MOST_DELTAS} changes of counts wait`]),
    ...(late > 0 ? [`records.purge-trash is late: ${late} records have been in the trash for more than 31 days`] : []),
  ];
}
