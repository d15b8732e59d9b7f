import { RecordChanges } from '../changes/record-changes.js';
import type { WrittenIndex } from './bulk-writes.js';
import { CHANGES_PER_READ, FedIndex, type FeedSources } from './fed-index.js';

/**
 * The start of an empty index: before anything is copied the list of changes is read to its end, a page at a time. That
 * may take several turns, since the list may have those of a day.
 */
export class FeedStart {
  private readonly changes: RecordChanges;
  private isNoted = false;

  constructor(
    private readonly index: WrittenIndex,
    private readonly sources: FeedSources,
  ) {
    this.changes = new RecordChanges(sources.reads);
  }

  get name(): string {
    return this.index.name;
  }

  /**
   * @param until when the turn is over, by the clock that never jumps
   * @returns `null`: the end of the list was not reached, or the signal is aborted
   * @throws {ClusterError}
   */
  async advance(signal: AbortSignal, until: number): Promise<FedIndex | null> {
    if (!this.isNoted) await this.sources.noteNothing();
    this.isNoted = true;
    while (!signal.aborted && performance.now() < until) {
      const from = this.changes.position;
      await this.changes.read(CHANGES_PER_READ);
      if (this.changes.position - from >= CHANGES_PER_READ) continue;
      return FedIndex.begin(this.index, this.sources, this.changes, signal);
    }
    return null;
  }
}
