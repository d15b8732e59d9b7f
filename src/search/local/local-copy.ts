import { DomainError } from '../../common/errors/domain-error.js';
import { SharedRuns } from '../../common/shared-runs.js';
import type { Reads } from '../../database/reads.js';
import { RecordChanges } from '../changes/record-changes.js';
import { Fts5Threads } from '../fts5/fts5-threads.js';
import type { SearchRequest, SearchResult } from '../search-index.js';
import { DocumentRows, IDS_PER_LOOK } from './document-rows.js';
import { LocalFileFailure, type LocalFile } from './local-file.js';
import type { LocalChange } from './local-program.js';

/**
 * A search waits for so many changes to be taken over, which takes a second at most; with more the database answers it.
 * That orders hits by another rule, so pages of one search had better come from one of the two.
 */
const MOST_AWAITED = 2_000;
const TIMES = 'SELECT id, at FROM documents';

/** It is not known any more what was changed. */
class LostPlace extends Error {}

/** The documents of a server in a file of this process: copied once, and from then on changed as they are. */
export class LocalCopy {
  private readonly documents: DocumentRows;
  private readonly threads: Fts5Threads;
  private readonly slices = new SharedRuns<void>();
  /** Up to which place in the order of changes the file is true. */
  private applied = 0;

  private constructor(
    private readonly file: LocalFile,
    reads: Reads,
    private readonly changes: RecordChanges,
    /** Id of the last record that is copied; `null`: all are. */
    private copiedTo: number | null,
  ) {
    this.documents = new DocumentRows(reads);
    this.threads = new Fts5Threads(file.path, TIMES);
  }

  /**
   * Goes on with the file of an earlier process, or begins with an empty one.
   *
   * @param identify writes a change that no other database has
   * @throws {LocalFileFailure}
   */
  static async open(file: LocalFile, reads: Reads, identify: () => Promise<void>): Promise<LocalCopy> {
    const left = await file.left();
    const changes = new RecordChanges(reads);
    if (left && (await changes.resume(left.mark))) return new LocalCopy(file, reads, changes, left.copiedTo);
    await file.create();
    await identify();
    await changes.read();
    const copy = new LocalCopy(file, reads, changes, 0);
    copy.applied = changes.position;
    await file.change({}, { copiedTo: 0, mark: changes.mark });
    return copy;
  }

  get isComplete(): boolean {
    return this.copiedTo === null;
  }

  /**
   * Copies the next documents.
   *
   * @throws {LocalFileFailure} @throws {LostPlace}
   */
  async copyNext(): Promise<void> {
    if (this.copiedTo === null) return;
    let isLast = true;
    for await (const { documents, lastId } of this.documents.after(this.copiedTo)) {
      isLast = false;
      await this.file.change({ documents }, { copiedTo: lastId, mark: this.changes.mark });
      this.copiedTo = lastId;
    }
    if (!isLast) return;
    await this.file.change({}, { copiedTo: null, mark: this.changes.mark });
    this.copiedTo = null;
  }

  /**
   * Takes over all that is committed by now.
   *
   * @returns whether that was done, or was too much to wait for
   * @throws {LocalFileFailure} @throws {LostPlace}
   */
  async follow(most = Infinity): Promise<boolean> {
    await this.changes.read();
    const { position } = this.changes;
    if (position - this.applied > most) return false;
    while (this.applied < position) await this.slices.run('', () => this.applySlice());
    return true;
  }

  /**
   * @returns `null`: too much has to be taken over first
   * @throws {DomainError} `overloaded`
   * @throws {LocalFileFailure} @throws {LostPlace}
   */
  async search(request: SearchRequest): Promise<SearchResult | null> {
    if (!(await this.follow(MOST_AWAITED))) return null;
    try {
      return await this.threads.search(request);
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      throw new LocalFileFailure('The file of the search index cannot be read.', { cause });
    }
  }

  async stop(): Promise<void> {
    await this.threads.stop();
  }

  private async applySlice(): Promise<void> {
    const { position, mark } = this.changes;
    const { applied, copiedTo } = this;
    if (applied === position) return;
    const ids = this.changes.since(applied, IDS_PER_LOOK);
    if (!ids) throw new LostPlace('It is not known any more which documents were changed.');
    const reached = Math.min(position, applied + IDS_PER_LOOK);
    // What comes after them will be copied as it is then.
    const copied = copiedTo === null ? ids : ids.filter((id) => id <= copiedTo);
    let last: Partial<LocalChange> = {};
    for await (const { documents, gone } of this.documents.of(copied)) {
      await this.file.change(last);
      last = { documents, gone };
    }
    await this.file.change(last, reached === position ? { copiedTo, mark } : undefined);
    this.applied = reached;
  }
}

/** Whether a file has to be made anew after a failure. */
export function isBeyondRepair(error: unknown): boolean {
  return error instanceof LocalFileFailure || error instanceof LostPlace;
}

const DAMAGE = /^SQLITE_(CORRUPT|NOTADB|IOERR|CANTOPEN|FULL|READONLY)/;

/** Whether a search failed for what the file is, and not for what was asked or how much else is going on. */
function isDamage(error: unknown): boolean {
  // A thread that could not open the file has ended with the reason.
  const reason = error instanceof DomainError ? (error.cause as Error | undefined)?.cause : error;
  if (!(reason instanceof Error)) return false;
  return DAMAGE.test(String((reason as { code?: unknown }).code)) || reason.message.startsWith('no such table');
}
