import { MOST_CHANGES_COUNTED, type DerivedIndexReport } from '../../common/derived-indexes.js';
import type { Reader } from '../../database/statements/reads.js';

/** Older changes that an index lacks make it late: it is brought up to date each second. */
export const LATE_S = 60;

/** What an index lacks of the list of changes. */
export type Lag = Pick<DerivedIndexReport, 'changesBehind' | 'oldestSeconds'>;

export const UNKNOWN_LAG: Lag = { changesBehind: null, oldestSeconds: null };

/**
 * Measures how far an index is behind the list of changes: by the key of the list, and no more rows than are counted.
 *
 * @param now the time by the clock of the database, as SQL
 */
export class ChangeLag {
  constructor(
    private readonly reader: Reader,
    private readonly now: string,
  ) {}

  /** @param row the last change that the index has */
  async since(row: number): Promise<Lag> {
    const [found] = await this.reader.select<{ ms: number | string | null; n: number | string }>(
      `SELECT (SELECT ${this.now} - at FROM search_changes WHERE id > ? ORDER BY id LIMIT 1) AS ms,
              (SELECT COUNT(*) FROM (SELECT id FROM search_changes WHERE id > ? ORDER BY id LIMIT ${MOST_CHANGES_COUNTED})
                AS later) AS n`,
      [row, row],
    );
    return {
      changesBehind: Number(found?.n ?? 0),
      oldestSeconds: Math.max(0, Number(found?.ms ?? 0)) / 1_000,
    };
  }
}

/** Whether an index that is searched is late. */
export function stateByLag({ oldestSeconds }: Lag): 'ready' | 'behind' {
  return oldestSeconds !== null && oldestSeconds <= LATE_S ? 'ready' : 'behind';
}
