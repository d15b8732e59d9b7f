import { damagedColumn, TIME_COLUMNS } from '../../../records/rows/record-cells.js';
import type { RecordRow } from '../../../records/rows/record-row.js';
import { cellOf } from '../../backup/cells.js';
import { keyIn, type DamagedRow, type DamagedRows } from '../../backup/damaged-rows.js';
import type { TableLayout } from '../../backup/table-layout.js';

type Row = Readonly<Record<string, unknown>>;

/** Which rows can be written down: those whose columns hold what they should. */
export class SoundRows {
  private readonly layouts: ReadonlyMap<string, TableLayout>;

  /** @param damaged takes up the others */
  constructor(
    layouts: readonly TableLayout[],
    private readonly damaged: DamagedRows,
  ) {
    this.layouts = new Map(layouts.map((layout) => [layout.name, layout]));
  }

  /** @param row of a table, or some of its columns by their names */
  has(table: string, row: object): boolean {
    return this.isNone(this.damageOf(table, row as Row));
  }

  /** Whole records. */
  records(rows: readonly RecordRow[]): RecordRow[] {
    return rows.filter((row) => this.isNone(this.damageOf('records', { ...row }) ?? this.damageOfContents(row)));
  }

  /** Notes a record of which there is nothing but its narrow row. */
  addWithoutContents(id: number): void {
    this.damaged.add({ table: 'record_contents', key: { record_id: id }, column: 'data', expected: 'json' });
  }

  private damageOfContents(row: RecordRow): DamagedRow | null {
    const contents = { ...row, record_id: row.id };
    const found = this.damageOf('record_contents', contents);
    if (found) return found;
    const column = damagedColumn(row);
    if (!column) return null;
    return TIME_COLUMNS.some((one) => one === column)
      ? { table: 'records', key: { id: row.id }, column, expected: 'time' }
      : { table: 'record_contents', key: { record_id: row.id }, column, expected: 'json' };
  }

  private damageOf(table: string, row: Row): DamagedRow | null {
    const { columns = [], key = [] } = this.layouts.get(table) ?? {};
    const odd = columns.find(({ name, kind }) => row[name] !== undefined && cellOf(kind, row[name]) === undefined);
    return odd ? { table, key: keyIn(row, key), column: odd.name, expected: odd.kind } : null;
  }

  private isNone(found: DamagedRow | null): boolean {
    if (found) this.damaged.add(found);
    return found === null;
  }
}
