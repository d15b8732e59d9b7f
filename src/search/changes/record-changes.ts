import { CoalescedRuns } from '../../common/concurrency/coalesced-runs.js';
import type { Reads } from '../../database/statements/reads.js';
import { MissingNumbers, type NumberRange } from './missing-numbers.js';

interface Row {
  readonly id: number | string;
  readonly record_id: number | string;
  readonly at: number | string;
}

/** A document that was changed. */
export interface ChangedDocument {
  readonly recordId: number;
  /** The number of its row. */
  readonly row: number;
}

interface Change extends ChangedDocument {
  /** When this process heard of it, on the clock that never jumps. */
  readonly heardAt: number;
}

/** A place in the list that a later process can go on from. */
export interface ChangeMark {
  /** The last row that was seen. */
  readonly row: number;
  /** What it says. In another database, or in one that was taken back in time, a row of that number says something else. */
  readonly stamp: string;
  /** The first row of the list when it was first read. */
  readonly first: number;
  /** Numbers whose rows may still come. */
  readonly missing: readonly NumberRange[];
}

const COLUMNS = 'id, record_id, at';
const ROWS_PER_READ = 5_000;
const CHANGES_KEPT = 20_000;
/** Longer than any unit of work takes: rows that are not there by then belong to one that was undone. */
const MISSING_MS = 300_000;
/** A list that was not read for so long may have lost rows from its beginning that were never seen. */
const AWAY_MS = 60_000;

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
  private firstRow = 0;
  private lastRow = 0;
  private lastStamp = '';
  /** On the clock that never jumps. */
  private readAt = 0;
  private readonly missing = new MissingNumbers();
  /** The span of old missing numbers, and what was in it when it was last read. */
  private spanRead = '';
  private readonly shared = new CoalescedRuns<void>();

  constructor(private readonly reads: Reads) {}

  /**
   * Hears of all that is committed by now.
   *
   * @param most changes after which the rest may be left to the next call
   */
  read(most = Infinity): Promise<void> {
    return this.shared.run('', () => this.readNew(most));
  }

  /** A place in the order of changes, for {@link since}. */
  get position(): number {
    return this.heard;
  }

  /** The place of {@link position} for a later process. */
  get mark(): ChangeMark {
    return { row: this.lastRow, stamp: this.lastStamp, first: this.firstRow, missing: this.missing.all };
  }

  /** No row up to this number is still to come. */
  get settled(): number {
    return (this.missing.lowest ?? this.lastRow + 1) - 1;
  }

  /** Goes on from a place, before anything was read. Returns `false` where it is not known what came after it. */
  async resume({ row, stamp, first, missing }: ChangeMark): Promise<boolean> {
    const [there] = await this.reads.select<Row & { first: number | string }>(
      `SELECT ${COLUMNS}, (SELECT MIN(id) FROM search_changes) AS first FROM search_changes WHERE id = ?`,
      [row],
    );
    // What is put away is put away from the beginning.
    const needed = Math.max(first, missing[0]?.from ?? row);
    if (!there || stampOf(there) !== stamp || Number(there.first) > needed) return false;
    this.firstRow = first;
    this.lastRow = row;
    this.lastStamp = stamp;
    this.readAt = performance.now();
    for (const range of missing) this.missing.add(range, this.readAt);
    return true;
  }

  /**
   * Ids of records that were changed after a place; `null`: unknown by now.
   *
   * @param most changes that are followed, from that place on
   */
  since(position: number, most = Infinity): readonly number[] | null {
    const changes = this.changesSince(position, most);
    return changes && [...new Set(changes.map(({ recordId }) => recordId))];
  }

  /** The changes that {@link since} follows. */
  changesSince(position: number, most = Infinity): readonly ChangedDocument[] | null {
    const n = this.heard - position;
    if (n > this.changes.length) return null;
    const first = this.changes.length - n;
    return this.changes.slice(first, first + most);
  }

  /** Numbers of the rows of changes that {@link since} follows. */
  rowsSince(position: number, most = Infinity): readonly number[] {
    const first = Math.max(0, this.changes.length - this.heard + position);
    return this.changes.slice(first, first + most).map(({ row }) => row);
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

  private async readNew(most: number): Promise<void> {
    const askedAt = performance.now();
    const before = this.heard;
    if (await this.hasLostRows(askedAt)) this.beginAnew();
    await this.readOldMissing();
    while ((await this.readNext()) === ROWS_PER_READ && this.heard - before < most);
    this.missing.forget(askedAt - MISSING_MS);
    this.readAt = askedAt;
    if (this.changes.length > 2 * CHANGES_KEPT) this.changes = this.changes.slice(-CHANGES_KEPT);
  }

  /** Whether a row may have been put away before it was seen. Rows are put away from the beginning, some minutes old. */
  private async hasLostRows(now: number): Promise<boolean> {
    const { lowest } = this.missing;
    if (lowest === null || now < this.readAt + AWAY_MS) return false;
    const [row] = await this.reads.select<{ first: number | string | null }>(
      'SELECT MIN(id) AS first FROM search_changes',
    );
    return Number(row?.first ?? Infinity) > Math.max(this.firstRow, lowest);
  }

  /** Reads what is missed, and from the last row on. Returns the number of rows; none of them is missed any longer. */
  private async readNext(): Promise<number> {
    const ranges = this.missing.young;
    let rows = await this.rows(['id >= ?', ...ranges.map(() => 'id BETWEEN ? AND ?')].join(' OR '), [
      this.lastRow,
      ...ranges.flatMap(({ from, to }) => [from, to]),
    ]);
    if (!this.followsLast(rows)) {
      this.beginAnew();
      rows = await this.rows('id >= ?', [0]);
    }
    this.add(rows);
    return rows.length;
  }

  /** Whether the last row is where it was: else it is gone, and perhaps others are that never were seen. */
  private followsLast(rows: readonly Row[]): boolean {
    const isCut = rows.length === ROWS_PER_READ && Number(rows.at(-1)?.id) < this.lastRow;
    return isCut || rows.some((row) => Number(row.id) === this.lastRow && stampOf(row) === this.lastStamp);
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
  private beginAnew(): void {
    this.changes = [];
    this.heard += 1;
    this.lastRow = 0;
    this.missing.clear();
  }

  private add(rows: readonly Row[]): void {
    const heardAt = performance.now();
    for (const row of rows) {
      const id = Number(row.id);
      const isNew = id > this.lastRow ? this.advanceTo(row, heardAt) : this.missing.take(id);
      if (!isNew) continue;
      this.changes.push({ recordId: Number(row.record_id), row: id, heardAt });
      this.heard += 1;
    }
  }

  private advanceTo(row: Row, now: number): true {
    const id = Number(row.id);
    if (this.lastRow === 0) this.firstRow = id;
    // Before the first row too: a unit that has not ended may have a lower number.
    this.missing.add({ from: this.lastRow + 1, to: id - 1 }, now);
    this.lastRow = id;
    this.lastStamp = stampOf(row);
    return true;
  }
}

function stampOf({ record_id: recordId, at }: Row): string {
  return `${Number(recordId)} ${Number(at)}`;
}
