import { SharedRuns } from '../../common/shared-runs.js';
import type { Reads } from '../../database/reads.js';
import { placeholders } from '../../database/statement.js';

interface Row {
  readonly id: number | string;
  readonly record_id: number | string;
}

interface Change {
  readonly recordId: number;
  /** When this process heard of it, on the clock that never jumps. */
  readonly heardAt: number;
}

const ROWS_PER_READ = 5_000;
const CHANGES_KEPT = 20_000;
/** Longer than any unit of work takes: rows that are not there by then belong to one that was undone. */
const MISSING_MS = 300_000;
const MOST_MISSING = 500;

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
  /** How many changes there were, all told. */
  private heard = 0;
  private lastRow = 0;
  /** Numbers of rows that are not there, and since when they are missed. */
  private readonly missing = new Map<number, number>();
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

  /** Ids of records that were changed after a place; `null`: nobody knows any more. */
  since(position: number): readonly number[] | null {
    const n = this.heard - position;
    if (n > this.changes.length) return null;
    return [...new Set(this.changes.slice(this.changes.length - n).map(({ recordId }) => recordId))];
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
    this.forgetOldMissing();
    let rows: readonly Row[];
    do {
      rows = await this.rows();
      // The last row that was seen is gone, and perhaps others are that never were seen.
      if (!rows.some(({ id }) => Number(id) === this.lastRow)) rows = await this.beginAnew();
      this.add(rows);
    } while (rows.length === ROWS_PER_READ);
    if (this.changes.length > 2 * CHANGES_KEPT) this.changes = this.changes.slice(-CHANGES_KEPT);
  }

  private rows(): Promise<Row[]> {
    const missing = [...this.missing.keys()];
    const orMissing = missing.length === 0 ? '' : ` OR id IN (${placeholders(missing)})`;
    return this.reads.select<Row>(
      `SELECT id, record_id FROM search_changes WHERE id >= ?${orMissing} ORDER BY id LIMIT ${ROWS_PER_READ}`,
      [this.lastRow, ...missing],
    );
  }

  /** Whoever remembers a place will be told that nobody knows what came after it. */
  private beginAnew(): Promise<Row[]> {
    this.changes = [];
    this.heard += 1;
    this.lastRow = 0;
    this.missing.clear();
    return this.rows();
  }

  private add(rows: readonly Row[]): void {
    const heardAt = performance.now();
    for (const row of rows) {
      const id = Number(row.id);
      if (id === this.lastRow) continue;
      if (id > this.lastRow) this.pass(id, heardAt);
      else this.missing.delete(id);
      this.changes.push({ recordId: Number(row.record_id), heardAt });
      this.heard += 1;
    }
  }

  /** Goes on to a row. */
  private pass(id: number, now: number): void {
    const isFirst = this.lastRow === 0;
    const from = isFirst ? id : Math.max(this.lastRow + 1, id - MOST_MISSING);
    for (let missed = from; missed < id; missed += 1) this.missing.set(missed, now);
    this.lastRow = id;
  }

  private forgetOldMissing(): void {
    const tooOld = performance.now() - MISSING_MS;
    for (const [id, since] of this.missing) {
      if (since < tooOld || this.missing.size > MOST_MISSING) this.missing.delete(id);
    }
  }
}
