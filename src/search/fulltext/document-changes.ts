import { randomInt } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { CoalescedRuns } from '../../common/concurrency/coalesced-runs.js';
import type { Reads } from '../../database/statements/reads.js';
import { execute, placeholders } from '../../database/statements/statement.js';
import { executeLater } from '../../database/statements/statement-queue.js';
import type { UnitOfWork } from '../../database/units/unit-of-work.js';

const CHANGES_PER_INSERT = 1_000;
/** Marks are random, so that a database that was taken back in time does not come to the same sum again. */
const MARKS = 2 ** 20;
const FRESH_MS = 5_000;
const FRESH_AT_LEAST = 300;
/** Above a thousand values MariaDB makes another plan for `IN`. */
const FRESH_AT_MOST = 900;
const PUT_AWAY_AT_LEAST = 100;
const PUT_AWAY_AT_ONCE = 1_000;
/** The row with the marks of all rows that were put away. */
const SUM_ID = 1;
/** The time of the server, whose clock all processes share. */
const NOW = 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';

/** The list of documents that were changed lately, by whatever process. Each unit of work notes its own. */
export class DocumentChanges {
  private readonly shared = new CoalescedRuns<string>();

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Notes that documents of records are changed within a unit of work. */
  async note(manager: EntityManager, recordIds: readonly number[]): Promise<void> {
    for (let start = 0; start < recordIds.length; start += CHANGES_PER_INSERT) {
      const some = recordIds.slice(start, start + CHANGES_PER_INSERT);
      const rows = some.map(() => `(?, ${NOW}, ${randomInt(1, MARKS)})`).join(', ');
      await executeLater(manager, `INSERT INTO search_changes (record_id, at, mark) VALUES ${rows}`, some);
    }
  }

  /**
   * A number that is another one after each commit of changes, in whatever order units end: the sum of the marks of all
   * changes that are committed by now.
   */
  state(): Promise<string> {
    return this.shared.run('', async () => {
      const [row] = await this.reads.select<{ state: number | string }>(
        'SELECT SUM(mark) AS state FROM search_changes',
      );
      return String(row?.state);
    });
  }

  /** Ids of records that were changed lately: the last ones, and more of them if they were changed just now. */
  async fresh(): Promise<readonly number[]> {
    const rows = await this.reads.select<{ id: number | string; is_new: number | string }>(
      `SELECT record_id AS id, at > ${NOW} - ${FRESH_MS} AS is_new FROM search_changes WHERE id > ${SUM_ID}
        ORDER BY id DESC LIMIT ${FRESH_AT_MOST}`,
    );
    const fresh = rows.filter(({ is_new: isNew }, place) => place < FRESH_AT_LEAST || Number(isNew) === 1);
    return [...new Set(fresh.map(({ id }) => Number(id)))];
  }

  /** Puts away changes that are not {@link fresh} any more, and leaves the sum as it is. */
  async tidy(): Promise<void> {
    for (;;) {
      const rows = await this.reads.select<{ id: number | string; mark: number | string }>(
        `SELECT id, mark FROM search_changes
          WHERE id > ${SUM_ID} AND at <= ${NOW} - ${FRESH_MS}
            AND id < (SELECT id FROM search_changes ORDER BY id DESC LIMIT 1 OFFSET ${FRESH_AT_LEAST - 1})
          ORDER BY id LIMIT ${PUT_AWAY_AT_ONCE}`,
      );
      if (rows.length < PUT_AWAY_AT_LEAST) return;
      const ids = rows.map(({ id }) => Number(id));
      const sum = rows.reduce((total, { mark }) => total + Number(mark), 0);
      await this.unitOfWork.run(async (manager) => {
        await execute(manager, `DELETE FROM search_changes WHERE id IN (${placeholders(ids)})`, ids);
        // Added twice if two processes put the same rows away: the sum may change without a write, and never the reverse.
        await execute(manager, `UPDATE search_changes SET mark = mark + ? WHERE id = ${SUM_ID}`, [sum]);
      });
    }
  }
}
