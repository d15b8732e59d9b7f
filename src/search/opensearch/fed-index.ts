import type { Reads } from '../../database/statements/reads.js';
import { RecordChanges, type ChangeMark } from '../changes/record-changes.js';
import { DocumentRows, IDS_PER_LOOK } from '../local/document-rows.js';
import type { BulkWrites, DocumentWrite, WrittenIndex } from './bulk-writes.js';
import type { Cluster, RequestLimits } from './cluster/cluster.js';
import { ClusterError } from './cluster/cluster-error.js';

/** Progress of the feed of an index. It is stored in the index itself, so that a restored one has its own. */
export interface FeedState {
  /** Id of the last record that is copied; `null`: all are. */
  readonly copiedTo: number | null;
  /** The last change that was taken over. */
  readonly mark: ChangeMark;
  /** Writes that OpenSearch refused for good; a document that was refused twice counts twice. */
  readonly refused: number;
}

/** What the feed of an index reads from and writes to. */
export interface FeedSources {
  readonly cluster: Cluster;
  readonly reads: Reads;
  readonly writes: BulkWrites;
  /** Writes a change whose number and time no other database has. */
  readonly noteNothing: () => Promise<void>;
}

/** Changes that are read at once. The progress is stored after each portion. */
export const CHANGES_PER_READ = 5_000;
const WITHIN_MS = 10_000;
/** Id of the document that holds the progress. */
const STATE = 'feed';

/** The changes since the last one that was taken over are not all known any more. */
class PositionLostError extends Error {}

/** How far the feed of an index, or of the one behind an alias, has come; `null`: it has not begun. @throws {ClusterError} */
export async function feedStateOf(cluster: Cluster, index: string, limits: RequestLimits): Promise<FeedState | null> {
  try {
    const { _source: source } = await cluster.ask<{ _source: { feed: FeedState } }>({
      method: 'GET',
      path: `/${index}/_doc/${STATE}`,
      within: WITHIN_MS,
      ...limits,
    });
    return source.feed;
  } catch (error) {
    if (error instanceof ClusterError && error.kind === 'missing') return null;
    throw error;
  }
}

/**
 * The documents of the database in an index of OpenSearch: copied once, then kept up to date. Any write may be sent
 * twice: its version is the number of its change, so that an older document never replaces a newer one.
 */
export class FedIndex {
  private readonly documents: DocumentRows;
  /** The position in {@link changes} up to which the index has all changes. */
  private applied: number;
  /** The numbers of changes still to come, as they are stored. */
  private storedMissing = '';

  private constructor(
    private readonly index: WrittenIndex,
    private readonly sources: FeedSources,
    private readonly changes: RecordChanges,
    private copiedTo: number | null,
    private refused: number,
  ) {
    this.documents = new DocumentRows(sources.reads);
    this.applied = changes.position;
  }

  /** Resumes an index. `null`: the changes since then are not all known. */
  static async resume(
    index: WrittenIndex,
    { copiedTo, mark, refused }: FeedState,
    sources: FeedSources,
  ): Promise<FedIndex | null> {
    const changes = new RecordChanges(sources.reads);
    if (!(await changes.resume(mark))) return null;
    const resumed = new FedIndex(index, sources, changes, copiedTo, refused);
    resumed.storedMissing = JSON.stringify(mark.missing);
    return resumed;
  }

  /** Begins with an empty index, at the end of the list of changes. @throws {ClusterError} */
  static async begin(
    index: WrittenIndex,
    sources: FeedSources,
    changes: RecordChanges,
    signal: AbortSignal,
  ): Promise<FedIndex> {
    const begun = new FedIndex(index, sources, changes, 0, 0);
    await begun.store(signal);
    return begun;
  }

  get name(): string {
    return this.index.name;
  }

  get isComplete(): boolean {
    return this.copiedTo === null;
  }

  /** Writes that OpenSearch refused for good; a document that was refused twice counts twice. */
  get leftOut(): number {
    return this.refused;
  }

  /**
   * Takes over what is committed by now.
   *
   * @param signal aborted: the rest is left, and what is returned is no measure of what was changed
   * @returns number of changes
   * @throws {ClusterError} @throws {PositionLostError} @throws {StaleReadError}
   */
  async follow(signal: AbortSignal): Promise<number> {
    const before = this.applied;
    let isMore = true;
    while (isMore && !signal.aborted) {
      const { applied } = this;
      const heard = this.changes.position;
      await this.changes.read(CHANGES_PER_READ);
      isMore = this.changes.position - heard >= CHANGES_PER_READ;
      await this.applyHeard(signal);
      if (this.applied !== this.changes.position) continue;
      if (this.applied > applied || this.storedMissing !== this.missing) await this.store(signal);
    }
    return this.applied - before;
  }

  /** Copies the next documents. @throws {ClusterError} @throws {StaleReadError} */
  async copyNext(signal: AbortSignal): Promise<void> {
    if (this.copiedTo === null) return;
    // Documents that are read from now on have all changes up to this one; any later change has a higher number.
    const version = this.changes.settled;
    const latest = this.changes.rowsSince(this.changes.position - IDS_PER_LOOK);
    let isLast = true;
    for await (const { documents, lastId } of this.documents.after(this.copiedTo, latest)) {
      isLast = false;
      const writes = documents.map((document) => ({ id: document.id, version, document }));
      await this.write(writes, signal);
      this.copiedTo = lastId;
    }
    if (isLast) this.copiedTo = null;
    await this.store(signal);
  }

  /** In the form that is compared. They become fewer while nothing is changed, and a process that resumes needs all of them. */
  private get missing(): string {
    return JSON.stringify(this.changes.mark.missing);
  }

  private async applyHeard(signal: AbortSignal): Promise<void> {
    while (this.applied < this.changes.position && !signal.aborted) await this.applySome(signal);
  }

  /** Takes over some changes; the documents of all of them, copied or not, so that what is copied later is never newer. */
  private async applySome(signal: AbortSignal): Promise<void> {
    const some = this.changes.changesSince(this.applied, IDS_PER_LOOK);
    if (!some) throw new PositionLostError('It is not known any more which documents were changed.');
    const versions = new Map<number, number>();
    for (const { recordId, row } of some) versions.set(recordId, Math.max(row, versions.get(recordId) ?? 0));
    // A change of no record only marks a place.
    versions.delete(0);
    const rows = some.map(({ row }) => row);
    const versioned = (id: number) => ({ id, version: versions.get(id) ?? 0 });
    for await (const { documents, gone } of this.documents.of([...versions.keys()], rows)) {
      const written = documents.map((document) => ({ ...versioned(document.id), document }));
      const deleted = gone.map((id) => ({ ...versioned(id), document: null }));
      await this.write([...written, ...deleted], signal);
    }
    this.applied += some.length;
  }

  private async write(writes: readonly DocumentWrite[], signal: AbortSignal): Promise<void> {
    if (writes.length > 0) this.refused += await this.sources.writes.write(this.index, writes, signal);
  }

  /** Stores the place. That of another process which is further stays, and is then gone on from. */
  private async store(signal: AbortSignal): Promise<void> {
    const { mark } = this.changes;
    const feed: FeedState = { copiedTo: this.copiedTo, mark, refused: this.refused };
    await this.sources.cluster.ask({
      method: 'PUT',
      path: `/${this.index.feedAlias}/_doc/${STATE}`,
      query: { version: mark.row, version_type: 'external_gte', require_alias: true },
      body: { feed },
      within: WITHIN_MS,
      signal,
    });
    this.storedMissing = JSON.stringify(mark.missing);
  }
}
