import { SharedRuns } from '../../common/shared-runs.js';
import type { Reads } from '../../database/reads.js';
import { MissingNumbers } from './missing-numbers.js';

interface Row {
  readonly id: number | string;
  readonly record_id: number | string;
  readonly at: number | string;
}

interface Change {
  readonly recordId: number;
  /** When this process heard of it, on the clock that never jumps. */
  readonly heardAt: number;
}

/** A place in the list that a later process can go on from. */
export interface ChangeMark {
  /** The last row that was seen. */
  readonly row: number;
  /** What it says. In another database, or in one that was taken back in time, a row of that number says something else. */
  readonly stamp: string;
  /** From which row on some may be unseen. */
  readonly from: number;
}

const COLUMNS = 'id, record_id, at';
const ROWS_PER_READ = 5_000;
const CHANGES_KEPT = 20_000;
/** Longer than any unit of work takes: rows that are not there by then belong to one that was undone. */
const MISSING_MS = 300_000;

const FRESH_MS = 5_000;
const FRESH_AT_LEAST = 300;
/** Above a thousand values MariaDB makes another plan for `IN`. */
const FRESH_AT_MOST = 900;

/**
 * Which documents were changed, by whatever process, in the order in which this one came to know of it. Rows of the
 * list are numbered when they are written and seen when they are committed: a lower number may show after a higher
 * one. So numbers that are left out are asked for again until they are there or too old.
 */
export class RecordChanges {
  private changes: Change[] = [];
  /** How many changes there were in all. */
  private heard = 0;
  private lastRow = 0;
  private lastStamp = '';
  private readonly missing = new MissingNumbers();
  /** The span of old missing numbers, and what was in it when it was last read. */
  private spanRead = '';
  private readonly shared = new SharedRuns<void>();

  constructor(private readonly reads: Reads) {}

  /** Hears of all that is committed by now. */
  read(): Promise<void> {
    return this.shared.run('', () => this.readNew());
  }

  /** A place in the order of changes, for {@link since}. */
  get position(): number {
    return this.heard;
  }

  /** The place of {@link position} for a later process. */
  get mark(): ChangeMark {
    return { row: this.lastRow, stamp: this.lastStamp, from: this.missing.lowest ?? this.lastRow };
  }

  /** Goes on from a place, before anything was read. Returns `false` where it is not known what came after it. */
  async resume({ row, stamp, from }: ChangeMark): Promise<boolean> {
    const [there] = await this.reads.select<Row & { first: number | string }>(
      `SELECT ${COLUMNS}, (SELECT MIN(id) FROM search_changes) AS first FROM search_changes WHERE id = ?`,
      [row],
    );
    // What is put away is put away from the beginning.
    if (!there || stampOf(there) !== stamp || Number(there.first) > from) return false;
    this.lastRow = row;
    this.lastStamp = stamp;
    this.missing.add({ from, to: row - 1 }, performance.now());
    return true;
  }

  /**
   * Ids of records that were changed after a place; `null`: unknown by now.
   *
   * @param most changes that are followed, from that place on
   */
  since(position: number, most = Infinity): readonly number[] | null {
    const n = this.heard - position;
    if (n > this.changes.length) return null;
    const first = this.changes.length - n;
    return [...new Set(this.changes.slice(first, first + most).map(({ recordId }) => recordId))];
  }

  /** Ids of records that were changed lately: the last ones, and more of them if they were changed just now. */
  fresh(): readonly number[] {
    const ids = new Set<number>();
    const freshFrom = performance.now() - FRESH_MS;
    for (let at = this.changes.length - 1; at >= 0; at -= 1) {
      const { recordId, heardAt } = this.changes[at] ?? { recordId: 0, heardAt: 0 };
      if (ids.size >= (heardAt < freshFrom ? FRESH_AT_LEAST : FRESH_AT_MOST)) break;
      ids.add(recordId);
    }
    return [...ids];
  }

  private async readNew(): Promise<void> {
    this.missing.forget(performance.now() - MISSING_MS);
    await this.readYoungMissing();
    await this.readOldMissing();
    let rows: readonly Row[];
    do {
      rows = await this.rows('id >= ?', [this.lastRow]);
      // The last row that was seen is gone, and perhaps others are that never were seen.
      if (!rows.some(({ id }) => Number(id) === this.lastRow)) rows = await this.beginAnew();
      this.add(rows);
    } while (rows.length === ROWS_PER_READ);
    if (this.changes.length > 2 * CHANGES_KEPT) this.changes = this.changes.slice(-CHANGES_KEPT);
  }

  /** What is found is missed no longer, so each read goes on. */
  private async readYoungMissing(): Promise<void> {
    for (let found = ROWS_PER_READ; found === ROWS_PER_READ;) {
      const ranges = this.missing.young;
      if (ranges.length === 0) return;
      const rows = await this.rows(
        ranges.map(() => 'id BETWEEN ? AND ?').join(' OR '),
        ranges.flatMap(({ from, to }) => [from, to]),
      );
      this.add(rows);
      found = rows.length;
    }
  }

  /** Most rows of a span are known, so they are counted first. Rows leave it from the beginning: no two states agree. */
  private async readOldMissing(): Promise<void> {
    const { span } = this.missing;
    if (!span) return;
    const [counted] = await this.reads.select<{ n: number | string; sum: number | string | null }>(
      'SELECT COUNT(*) AS n, SUM(id) AS sum FROM search_changes WHERE id BETWEEN ? AND ?',
      [span.from, span.to],
    );
    const state = [span.from, span.to, counted?.n, counted?.sum].join();
    if (state === this.spanRead) return;
    let rows: readonly Row[];
    let { from } = span;
    do {
      rows = await this.rows('id BETWEEN ? AND ?', [from, span.to]);
      this.add(rows);
      from = Number(rows.at(-1)?.id) + 1;
    } while (rows.length === ROWS_PER_READ);
    this.spanRead = state;
  }

  private rows(condition: string, values: readonly number[]): Promise<Row[]> {
    return this.reads.select<Row>(
      `SELECT ${COLUMNS} FROM search_changes WHERE ${condition} ORDER BY id LIMIT ${ROWS_PER_READ}`,
      values,
    );
  }

  /** What came after any earlier place is unknown from now on. */
  private beginAnew(): Promise<Row[]> {
    this.changes = [];
    this.heard += 1;
    this.lastRow = 0;
    this.missing.clear();
    return this.rows('id >= ?', [0]);
  }

  private add(rows: readonly Row[]): void {
    const heardAt = performance.now();
    for (const row of rows) {
      const id = Number(row.id);
      const isNew = id > this.lastRow ? this.pass(row, heardAt) : this.missing.take(id);
      if (!isNew) continue;
      this.changes.push({ recordId: Number(row.record_id), heardAt });
      this.heard += 1;
    }
  }

  /** Goes on to a row. */
  private pass(row: Row, now: number): true {
    const id = Number(row.id);
    if (this.lastRow > 0) this.missing.add({ from: this.lastRow + 1, to: id - 1 }, now);
    this.lastRow = id;
    this.lastStamp = stampOf(row);
    return true;
  }
}

function stampOf({ record_id: recordId, at }: Row): string {
  return `${Number(recordId)} ${Number(at)}`;
}
