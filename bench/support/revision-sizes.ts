import type { Reads } from '../../src/database/statements/reads.js';

/** Sizes of histories in an SQLite file. */
export class RevisionRows {
  constructor(private readonly reads: Reads) {}

  async packedBytes(recordId: number): Promise<number> {
    return this.number('SELECT SUM(LENGTH(snapshot)) AS n FROM revisions WHERE record_id = ?', [recordId]);
  }

  /** Pages of the table and of its index, the empty parts of pages included. */
  async bytesOnDisk(): Promise<number> {
    return this.number("SELECT SUM(pgsize) AS n FROM dbstat WHERE name LIKE '%revisions%'", []);
  }

  async times(recordId: number): Promise<number[]> {
    const rows = await this.reads.select<{ ts: number }>('SELECT ts FROM revisions WHERE record_id = ?', [recordId]);
    return rows.map(({ ts }) => ts);
  }

  private async number(sql: string, values: readonly number[]): Promise<number> {
    const [row] = await this.reads.select<{ n: number }>(sql, values);
    return row?.n ?? 0;
  }
}
