import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { TransferError } from '../transfer-error.js';
import { BackupParser, type Batch, type VerifiedBackup } from './restore/backup-parser.js';
import { notABackup } from './restore/header-check.js';
import type { RowProgress } from './table-rows.js';

/** Far above the largest row that a database would take. */
const LONGEST_LINE = 64 * 1024 * 1024;

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

  /**
   * The rows in their order. They can be trusted when all of them have come.
   *
   * @throws {TransferError} as {@link check}
   */
  async *batches(progress: RowProgress, label: string): AsyncGenerator<Batch, VerifiedBackup> {
    const parser = new BackupParser(this.path);
    progress.start(await this.sizeBytes(), label);
    try {
      for await (const { lines, bytes } of linesOfFile(this.path, LONGEST_LINE)) {
        yield* parser.take(lines);
        progress.advance(bytes);
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

const LINE_END = 0x0a;
/** Compressed; what comes out of it at a time is also what goes into a database at a time. */
const READ_BYTES = 256 * 1024;
const UNZIPPED_BYTES = 1024 * 1024;

/** Lines with their ends, as many as came at a time, and how much of the file they took. */
interface Lines {
  readonly lines: readonly Buffer[];
  /** Compressed bytes that were read for them. */
  readonly bytes: number;
}

/**
 * Reads a compressed file line by line. By its bytes: Node's own reader of lines also ends one at U+2028.
 *
 * @param longest bytes of a line at most
 * @throws {RangeError} a longer line, or one without an end
 */
async function* linesOfFile(file: string, longest: number): AsyncGenerator<Lines> {
  const compressed = createReadStream(file, { highWaterMark: READ_BYTES });
  // Its failures are those of the last stream, which is read below.
  const unzipped = pipeline(compressed, createGunzip({ chunkSize: UNZIPPED_BYTES }), () => undefined);
  let rest: Buffer[] = [];
  let restBytes = 0;
  let bytes = 0;
  for await (const chunk of unzipped as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf(LINE_END) + 1;
    if (end === 0) {
      rest.push(chunk);
      restBytes += chunk.length;
      if (restBytes > longest) throw new RangeError('The line is too long.');
      continue;
    }
    const { bytesRead } = compressed;
    yield { lines: split(Buffer.concat([...rest, chunk.subarray(0, end)])), bytes: bytesRead - bytes };
    bytes = bytesRead;
    rest = [chunk.subarray(end)];
    restBytes = chunk.length - end;
  }
  if (restBytes > 0) throw new RangeError('The last line has no end.');
}

function split(whole: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < whole.length;) {
    const end = whole.indexOf(LINE_END, start) + 1;
    lines.push(whole.subarray(start, end));
    start = end;
  }
  return lines;
}
