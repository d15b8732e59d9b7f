import { createHash } from 'node:crypto';
import type { TableLayout } from './table-layout.js';

/** Number and hash of the rows of a table: equal on two databases if their rows are. */
export interface TableDigest {
  readonly name: string;
  readonly rows: number;
  /** SHA-256 of all rows, as a backup has them. */
  readonly sha256: string;
}

export interface Digest {
  readonly tables: readonly TableDigest[];
  readonly sha256: string;
}

export function digestOf(tables: readonly TableDigest[]): Digest {
  const lines = tables.map(({ name, rows, sha256 }) => `${name} ${rows} ${sha256}\n`);
  return { tables, sha256: createHash('sha256').update(lines.join('')).digest('hex') };
}

/** Names of the tables in which two digests differ. */
export function differingTables(one: Digest, other: Digest): string[] {
  const found = new Map(other.tables.map((table) => [table.name, table]));
  return one.tables
    .filter(({ name, rows, sha256 }) => found.get(name)?.rows !== rows || found.get(name)?.sha256 !== sha256)
    .map(({ name }) => name);
}

/** Counts and digests the rows of one table as they pass. */
export class TableDigester {
  private readonly hash = createHash('sha256');
  private rows = 0;

  constructor(private readonly layout: TableLayout) {
    this.hash.update(`${JSON.stringify(layout)}\n`);
  }

  /** @param lines one line for each row, with their ends */
  add(lines: string | Buffer, rows: number): void {
    this.hash.update(lines);
    this.rows += rows;
  }

  /** Ends the count. */
  digest(): TableDigest {
    return { name: this.layout.name, rows: this.rows, sha256: this.hash.digest('hex') };
  }
}
