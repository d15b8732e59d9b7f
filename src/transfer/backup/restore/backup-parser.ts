import { TransferError } from '../../transfer-error.js';
import type { Footer, Header, Section } from '../backup-format.js';
import { isCell, type Cell } from '../cells.js';
import { isLeftOut, type LeftOut } from '../damaged-rows.js';
import { digestOf, type Digest, type TableDigest, TableDigester } from '../digest.js';
import type { TableLayout } from '../table-layout.js';
import { headerIn, notABackup } from './header-check.js';

/** Rows of one table. */
export interface Batch {
  readonly table: TableLayout;
  readonly rows: (readonly Cell[])[];
}

/** A file that has been read to its end and found sound. */
export interface VerifiedBackup {
  readonly header: Header;
  readonly digest: Digest;
  /** Rows that were damaged in the database that it was made from; `null`: none. */
  readonly skipped: LeftOut | null;
}

const ROW = '['.charCodeAt(0);

/** Reads the lines of a backup in their order, and believes none of them before the last. */
export class BackupParser {
  private header: Header | undefined;
  private readonly digests: TableDigest[] = [];
  private open: { readonly table: TableLayout; readonly digester: TableDigester } | undefined;
  private digest: Digest | undefined;
  private skipped: LeftOut | null = null;

  constructor(private readonly file: string) {}

  /** @throws {TransferError} what no backup would hold here */
  take(lines: readonly Buffer[]): Batch[] {
    const batches: Batch[] = [];
    for (const line of lines) {
      if (line[0] === ROW) this.takeRow(line, batches);
      else this.takeMark(this.parsed(line));
    }
    return batches;
  }

  /** @throws {TransferError} when lines are missing */
  end(): VerifiedBackup {
    if (!this.header) throw notABackup(this.file);
    if (!this.digest) throw new TransferError('backup_unsound', `The backup ${this.file} is cut off.`);
    return { header: this.header, digest: this.digest, skipped: this.skipped };
  }

  private takeRow(line: Buffer, batches: Batch[]): void {
    if (!this.open) throw this.header ? this.damaged() : notABackup(this.file);
    const { table, digester } = this.open;
    const row = this.parsed(line);
    if (!isRow(row, table)) throw this.damaged();
    digester.add(line, 1);
    const batch = batches.at(-1);
    if (batch?.table === table) batch.rows.push(row);
    else batches.push({ table, rows: [row] });
  }

  private takeMark(mark: unknown): void {
    if (this.digest) throw this.damaged();
    if (!this.header) {
      this.header = headerIn(mark, this.file);
      return;
    }
    if (this.open) this.digests.push(this.open.digester.digest());
    this.open = undefined;
    const table = this.header.tables[this.digests.length];
    if (table) this.begin(table, mark as Partial<Section> | null);
    else this.finish(mark as Partial<Footer> | null);
  }

  private begin(table: TableLayout, section: Partial<Section> | null): void {
    if (section?.table !== table.name) throw this.damaged();
    this.open = { table, digester: new TableDigester(table) };
  }

  private finish(footer: Partial<Footer> | null): void {
    const digest = digestOf(this.digests);
    if (JSON.stringify(footer?.digest) !== JSON.stringify(digest)) throw this.damaged();
    if (footer?.skipped !== undefined && !isLeftOut(footer.skipped)) throw this.damaged();
    this.digest = digest;
    this.skipped = footer?.skipped ?? null;
  }

  private parsed(line: Buffer): unknown {
    try {
      return JSON.parse(line.toString()) as unknown;
    } catch (cause) {
      throw this.header ? this.damaged(cause) : notABackup(this.file, cause);
    }
  }

  private damaged(cause?: unknown): TransferError {
    return new TransferError('backup_unsound', `The backup ${this.file} is damaged.`, { cause });
  }
}

function isRow(row: unknown, { columns }: TableLayout): row is Cell[] {
  return (
    Array.isArray(row) && row.length === columns.length && columns.every(({ kind }, index) => isCell(kind, row[index]))
  );
}
