import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { linesIn } from '../../lines-in.js';
import { TransferError } from '../../transfer-error.js';
import { headerIn, notABackup, type Footer, type Header, type Section } from '../backup-format.js';
import type { Cell } from '../cells.js';
import { digestOf, type Digest, type TableDigest, TableDigester } from '../digest.js';
import type { TableLayout } from '../table-layout.js';
import type { RowProgress } from '../table-rows.js';

/** Far above the largest row that a database would take. */
const LONGEST_LINE = 64 * 1024 * 1024;
/** Compressed; what comes out of it at a time is also what goes into a database at a time. */
const READ_BYTES = 256 * 1024;
const UNZIPPED_BYTES = 1024 * 1024;

/** Rows of one table. */
export interface Batch {
  readonly table: TableLayout;
  readonly rows: (readonly Cell[])[];
}

/** A file that has been read to its end and found sound. */
export interface VerifiedBackup {
  readonly header: Header;
  readonly digest: Digest;
}

/** A backup on the disk. */
export class BackupFile {
  constructor(readonly path: string) {}

  /**
   * Reads all of it, and says what it holds.
   *
   * @throws {TransferError} when it is not a whole and sound backup, or not one for this version
   */
  async check(progress: RowProgress): Promise<VerifiedBackup> {
    const batches = this.batches(progress, 'Checking bytes');
    let step = await batches.next();
    while (!step.done) step = await batches.next();
    return step.value;
  }

  /** The rows in their order. They can be trusted when all of them have come. @throws {TransferError} as {@link check} */
  async *batches(progress: RowProgress, label: string): AsyncGenerator<Batch, VerifiedBackup> {
    const parser = new BackupParser(this.path);
    progress.start(await this.sizeBytes(), label);
    const compressed = createReadStream(this.path, { highWaterMark: READ_BYTES });
    // Its failures are those of the last stream, which is read below.
    const text = pipeline(compressed, createGunzip({ chunkSize: UNZIPPED_BYTES }), () => undefined).setEncoding('utf8');
    let bytes = 0;
    try {
      for await (const lines of linesIn(text as AsyncIterable<string>, LONGEST_LINE)) {
        yield* parser.take(lines);
        progress.advance(compressed.bytesRead - bytes);
        bytes = compressed.bytesRead;
      }
    } catch (error) {
      throw this.explained(error);
    }
    progress.stop();
    return parser.end();
  }

  private async sizeBytes(): Promise<number> {
    const found = await stat(this.path).catch(() => null);
    if (found?.isFile()) return found.size;
    throw new TransferError('backup_unreadable', `The file ${this.path} is not there.`);
  }

  private explained(error: unknown): unknown {
    const { code, message } = error as { code?: string; message?: string };
    if (code === 'Z_BUF_ERROR') return new TransferError('backup_unsound', `The backup ${this.path} is cut off.`);
    if (message === 'incorrect header check' || error instanceof RangeError) return notABackup(this.path, error);
    if (code?.startsWith('Z_')) return new TransferError('backup_unsound', `The backup ${this.path} is damaged.`);
    if (code?.startsWith('E'))
      return new TransferError('backup_unreadable', `The file ${this.path} cannot be read: ${code}.`);
    return error;
  }
}

/** Reads the lines of a backup in their order, and believes none of them before the last. */
class BackupParser {
  private header: Header | undefined;
  private readonly digests: TableDigest[] = [];
  private open: { readonly table: TableLayout; readonly digester: TableDigester } | undefined;
  private digest: Digest | undefined;

  constructor(private readonly file: string) {}

  /** @throws {TransferError} what no backup would hold here */
  take(lines: readonly string[]): Batch[] {
    const batches: Batch[] = [];
    for (const line of lines) {
      if (line.startsWith('[')) this.takeRow(line, batches);
      else this.takeMark(this.parsed(line));
    }
    return batches;
  }

  /** @throws {TransferError} when lines are missing */
  end(): VerifiedBackup {
    if (!this.header) throw notABackup(this.file);
    if (!this.digest) throw new TransferError('backup_unsound', `The backup ${this.file} is cut off.`);
    return { header: this.header, digest: this.digest };
  }

  private takeRow(line: string, batches: Batch[]): void {
    if (!this.open) throw this.header ? this.damaged() : notABackup(this.file);
    const { table, digester } = this.open;
    const row = this.parsed(line) as Cell[]; // what is none is found by the digest
    digester.add(`${line}\n`, 1);
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
    this.digest = digest;
  }

  private parsed(line: string): unknown {
    try {
      return JSON.parse(line) as unknown;
    } catch (cause) {
      throw this.header ? this.damaged(cause) : notABackup(this.file, cause);
    }
  }

  private damaged(cause?: unknown): TransferError {
    return new TransferError('backup_unsound', `The backup ${this.file} is damaged.`, { cause });
  }
}
