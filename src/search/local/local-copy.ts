import { DomainError } from '../../common/errors/domain-error.js';
import { CoalescedRuns } from '../../common/concurrency/coalesced-runs.js';
import type { Reads } from '../../database/statements/reads.js';
import { RecordChanges } from '../changes/record-changes.js';
import { Fts5Threads } from '../fts5/fts5-threads.js';
import { hasRowId } from '../fts5/row-ids.js';
import type { SearchRequest, SearchResult } from '../search-index.js';
import { DocumentRows, IDS_PER_LOOK } from './document-rows.js';
import { LocalFileError, type LocalFile, type LocalState } from './local-file.js';
import type { LocalChange } from './local-program.js';

/**
 * A search waits for so many changes to be taken over, which takes a second at most; with more the database answers it.
 * Lengths and repeated words are counted a little differently there, so pages of one search had better come from one of the two.
 */
const MOST_AWAITED = 2_000;
const TIMES = 'SELECT id, at FROM documents';

/** It is not known any more what was changed. */
class LostPositionError extends Error {}

/** The index has no row id for a record. */
export class NoRowIdError extends Error {}

/** What a copy is made of. */
interface CopySources {
  readonly reads: Reads;
  /** Writes a change that no other database has. */
  readonly identify: () => Promise<void>;
  /** Whether work that takes its time has to end now. */
  readonly isStopping: () => boolean;
}

/** The documents of a server in a file of this process: copied once, and from then on changed as they are. */
export class LocalCopy {
  private readonly documents: DocumentRows;
  private readonly threads: Fts5Threads;
  private readonly slices = new CoalescedRuns<void>();
  /** Up to which place in the order of changes the file is true. */
  private applied = 0;

  private constructor(
    private readonly file: LocalFile,
    private readonly sources: CopySources,
    private readonly changes: RecordChanges,
    /** Id of the last record that is copied; `null`: all are. */
    private copiedTo: number | null,
  ) {
    this.documents = new DocumentRows(sources.reads);
    this.threads = new Fts5Threads(file.path, TIMES);
  }

  /**
   * Goes on with the file of an earlier process, or begins with an empty one.
   *
   * @throws {LocalFileError} @throws {NoRowIdError}
   */
  static async open(file: LocalFile, sources: CopySources): Promise<LocalCopy> {
    const { reads, identify } = sources;
    requireRowId(0, await new DocumentRows(reads).highestId());
    const changes = new RecordChanges(reads);
    const state = await file.resumeState();
    if (state && (await changes.resume(state.mark))) return new LocalCopy(file, sources, changes, state.copiedTo);
    await file.create();
    await identify();
    await changes.read();
    const copy = new LocalCopy(file, sources, changes, 0);
    copy.applied = changes.position;
    await file.change({}, { copiedTo: 0, mark: changes.mark });
    return copy;
  }

  /** The last change that the file has, with all those before it. */
  get lastRow(): number {
    const [next] = this.changes.rowsSince(this.applied, 1);
    return this.applied === this.changes.position || next === undefined ? this.changes.mark.row : next - 1;
  }

  get isComplete(): boolean {
    return this.copiedTo === null;
  }

  /**
   * Copies the next documents.
   *
   * @throws {LocalFileError} @throws {NoRowIdError} @throws {StaleReadError}
   */
  async copyNext(): Promise<void> {
    if (this.copiedTo === null) return;
    let isLast = true;
    const latest = this.changes.rowsSince(this.changes.position - IDS_PER_LOOK);
    for await (const { documents, lastId } of this.documents.after(this.copiedTo, latest)) {
      isLast = false;
      await this.write({ documents }, { copiedTo: lastId, mark: this.changes.mark });
      this.copiedTo = lastId;
    }
    if (!isLast) return;
    await this.write({}, { copiedTo: null, mark: this.changes.mark });
    this.copiedTo = null;
  }

  /**
   * Takes over all that is committed by now.
   *
   * @returns whether that was done; `false`: it was too much to wait for, or the service stops
   * @throws {LocalFileError} @throws {LostPositionError} @throws {NoRowIdError} @throws {StaleReadError}
   */
  async follow(most = Infinity): Promise<boolean> {
    await this.changes.read();
    const { position } = this.changes;
    if (position - this.applied > most) return false;
    while (this.applied < position && !this.sources.isStopping()) await this.slices.run('', () => this.applySlice());
    return this.applied >= position;
  }

  /**
   * @returns `null`: too much has to be taken over first
   * @throws {DomainError} `overloaded`
   * @throws {LocalFileError} @throws {LostPositionError} @throws {NoRowIdError} @throws {StaleReadError}
   */
  async search(request: SearchRequest): Promise<SearchResult | null> {
    if (!(await this.follow(MOST_AWAITED))) return null;
    try {
      return await this.threads.search(request);
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      throw new LocalFileError('The file of the search index cannot be read.', { cause });
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
    if (!ids) throw new LostPositionError('It is not known any more which documents were changed.');
    const reached = Math.min(position, applied + IDS_PER_LOOK);
    // What comes after them will be copied as it is then.
    const copied = copiedTo === null ? ids : ids.filter((id) => id <= copiedTo);
    let last: Partial<LocalChange> = {};
    const rows = this.changes.rowsSince(applied, IDS_PER_LOOK);
    for await (const { documents, gone } of this.documents.of(copied, rows)) {
      await this.write(last);
      last = { documents, gone };
    }
    await this.write(last, reached === position ? { copiedTo, mark } : undefined);
    this.applied = reached;
  }

  private async write(change: Partial<LocalChange>, state?: LocalState): Promise<void> {
    for (const { typeId, id } of change.documents ?? []) requireRowId(typeId, id);
    await this.file.change(change, state);
  }
}

function requireRowId(typeId: number, id: number): void {
  if (!hasRowId(typeId, id))
    throw new NoRowIdError(`The local search index has no room for record ${id} of type ${typeId}.`);
}

/** Whether a file cannot be used any longer after a failure. */
export function isBeyondRepair(error: unknown): boolean {
  return error instanceof LocalFileError || error instanceof LostPositionError || error instanceof NoRowIdError;
}

const DAMAGE = /^SQLITE_(CORRUPT|NOTADB|IOERR|CANTOPEN|FULL|READONLY)/;

/** Whether a search failed for what the file is, and not for what was asked or how much else is going on. */
function isDamage(error: unknown): boolean {
  // A thread that could not open the file has ended with the reason.
  const reason: unknown =
    error instanceof DomainError ? (error.cause as { cause?: unknown } | undefined)?.cause : error;
  const { code, message } = (reason ?? {}) as { code?: unknown; message?: unknown };
  return DAMAGE.test(String(code)) || String(message).startsWith('no such table');
}
