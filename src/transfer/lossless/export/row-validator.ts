import { damagedColumn, TIME_COLUMNS } from '../../../records/rows/record-cells.js';
import type { RecordRow } from '../../../records/rows/record-row.js';
import { cellOf } from '../../backup/cells.js';
import { keyIn, type DamagedRow, type DamagedRows } from '../../backup/damaged-rows.js';
import type { TableLayout } from '../../backup/table-layout.js';

type Row = Readonly<Record<string, unknown>>;

/** Checks that the columns of rows hold valid values, and collects the damaged rows. */
export class RowValidator {
  private readonly layouts: ReadonlyMap<string, TableLayout>;

  /** @param damaged collects the invalid rows */
  constructor(
    layouts: readonly TableLayout[],
    private readonly damaged: DamagedRows,
  ) {
    this.layouts = new Map(layouts.map((layout) => [layout.name, layout]));
  }

  /** @param row of a table, or some of its columns by their names */
  isValid(table: string, row: object): boolean {
    return this.isUndamaged(this.damageOf(table, row as Row));
  }

  /** The valid ones of some whole records. */
  validRecords(rows: readonly RecordRow[]): RecordRow[] {
    return rows.filter((row) => this.isUndamaged(this.damageOf('records', { ...row }) ?? this.damageOfContents(row)));
  }

  /** Collects a record that has a narrow row and no contents. */
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

  private isUndamaged(found: DamagedRow | null): boolean {
    if (found) this.damaged.add(found);
    return found === null;
  }
}
