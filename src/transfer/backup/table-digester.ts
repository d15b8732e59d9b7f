import { createHash } from 'node:crypto';
import type { TableDigest } from './digest.js';
import type { TableLayout } from './table-layout.js';

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
