import { counted } from '../../common/text/counted.js';
import { TransferError } from '../transfer-error.js';
import type { Kind } from './cells.js';

/** A row with a value that its column cannot hold, such as a text in the place of bytes. */
export interface DamagedRow {
  readonly table: string;
  /** The primary key, by the names of its columns. */
  readonly key: Readonly<Record<string, unknown>>;
  readonly column: string;
  readonly expected: Kind;
}

/** Rows that a file lacks. */
export interface LeftOut {
  readonly count: number;
  /** The first thousand. */
  readonly rows: readonly DamagedRow[];
}

const MAX_LISTED = 1_000;

/** The key of a row as it is shown. @param names of its columns */
export function keyIn(row: Readonly<Record<string, unknown>>, names: readonly string[]): DamagedRow['key'] {
  const shown = (value: unknown): unknown => (Buffer.isBuffer(value) ? `x'${value.toString('hex')}'` : value);
  return Object.fromEntries(names.map((name) => [name, shown(row[name])]));
}

/** Takes up damaged rows while content is written into a file. */
export class DamagedRows {
  private count = 0;
  private readonly rows: DamagedRow[] = [];

  /** @param found `skipped`: the file may lack them */
  constructor(private readonly found: 'skipped' | 'refused') {}

  /** @throws {TransferError} `damaged_row`, unless such rows are left out */
  add(row: DamagedRow): void {
    if (this.found === 'refused') throw refusalOf(row);
    this.count += 1;
    if (this.rows.length < MAX_LISTED) this.rows.push(row);
  }

  /** `null`: none */
  leftOut(): LeftOut | null {
    return this.count === 0 ? null : { count: this.count, rows: this.rows };
  }
}

/** `2 damaged rows were left out of the backup:` and a line for each. */
export function leftOutText({ count, rows }: LeftOut): string {
  const lines = rows.map((row) => placeOf(row));
  const more = count > rows.length ? [`and ${count - rows.length} more`] : [];
  const head = `${counted(count, 'damaged row')} ${count === 1 ? 'was' : 'were'} left out of the backup:`;
  return [head, ...lines, ...more].join('\n');
}

/** `revisions record_id = 7, ts = 1700000000000 (snapshot)` */
function placeOf({ table, key, column }: DamagedRow): string {
  return `${table} ${keyText(key)} (${column})`;
}

function refusalOf(row: DamagedRow): TransferError {
  const { table, key, column, expected } = row;
  return new TransferError(
    'damaged_row',
    `The row ${keyText(key)} of the table ${table} is damaged: ${column} holds no ${expected}. Mend or delete it, or leave out such rows with --skip-damaged.`,
    { details: [row] },
  );
}

function keyText(key: DamagedRow['key']): string {
  return Object.entries(key)
    .map(([name, value]) => `${name} = ${String(value)}`)
    .join(', ');
}
