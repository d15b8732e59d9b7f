import type { DataSource } from 'typeorm';
import { execute, type SqlValue } from '../../../database/statements/statement.js';
import { insertRows } from '../../../database/statements/statement-queue.js';
import type { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { Batch } from './backup-parser.js';
import { storable } from '../cells.js';
import type { TableLayout } from '../table-layout.js';

/** Some databases take 32,766; more than this many make no statement faster. */
const MAX_VALUES = 8_000;

/** Writes rows as they come from a file, in short units of work. */
export class RowLoader {
  constructor(
    private readonly units: UnitOfWork,
    private readonly source: DataSource,
  ) {}

  /** Takes out the rows that migrations put into new tables. */
  async clear(tables: readonly TableLayout[]): Promise<void> {
    await this.units.run(async (manager) => {
      for (const { name } of tables) await execute(manager, `DELETE FROM ${this.quoted(name)}`);
    });
  }

  async insert({ table, rows }: Batch): Promise<void> {
    const size = Math.floor(MAX_VALUES / table.columns.length);
    for (let start = 0; start < rows.length; start += size) {
      await this.insertTogether({ table, rows: rows.slice(start, start + size) });
    }
  }

  private async insertTogether({ table: { name, columns }, rows }: Batch): Promise<void> {
    const names = columns.map((column) => this.quoted(column.name)).join(', ');
    const cells = rows.map((row): SqlValue[] => columns.map(({ kind }, index) => storable(kind, row[index] ?? null)));
    await this.units.run((manager) => insertRows(manager, `INSERT INTO ${this.quoted(name)} (${names})`, cells));
  }

  private quoted(name: string): string {
    return this.source.driver.escape(name);
  }
}
