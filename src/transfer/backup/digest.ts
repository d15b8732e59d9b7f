import { createHash } from 'node:crypto';

/** What the rows of a table come to: equal on two databases when their rows are. */
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
