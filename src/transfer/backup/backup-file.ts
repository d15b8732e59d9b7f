import { stat } from 'node:fs/promises';
import { BackupParser, type Batch, type VerifiedBackup } from './restore/backup-parser.js';
import { notABackup } from './restore/header-check.js';
import { linesOfFile } from './lines.js';
import { TransferError } from '../transfer-error.js';
import type { RowProgress } from './restore/row-progress.js';

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
