import { Injectable } from '@nestjs/common';
import { Dialect } from '../../database/dialect/dialect.js';
import { placeholders } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { lockRecords } from '../../records/rows/record-portions.js';
import { IndexingQueue, type IndexingTask } from '../indexing/indexing-queue.js';
import { SearchReindex } from '../indexing/search-reindex.js';
import { SearchIndex, type IndexedRecord } from '../search-index.js';
import type { IndexFaults } from './index-differences.js';

/** What was put right. */
export interface MendedDocuments {
  /** Ids of types whose records were indexed anew, here or by another process. */
  readonly indexed: readonly number[];
  /** Documents of no record that were dropped. */
  readonly dropped: number;
  /** Jobs that a clock ahead had kept from all processes, and that are done now. */
  readonly freed: number;
}

const AT_ONCE = 200;

/** Puts the index right, while others write. */
@Injectable()
export class SearchRepair {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly index: SearchIndex,
    private readonly reindex: SearchReindex,
    private readonly queue: IndexingQueue,
  ) {}

  async run({ missing, leftOver }: IndexFaults): Promise<MendedDocuments> {
    const freed = await this.finishStuck();
    const typeIds = new Set(freed.some(({ kind }) => kind === 'all') ? [] : missing.keys());
    let dropped = 0;
    for (let start = 0; start < leftOver.length; start += AT_ONCE) {
      const some = leftOver.slice(start, start + AT_ONCE);
      const gone = new Set(await this.dropGone(some));
      dropped += gone.size;
      // A document of what a record was before goes when the record is indexed.
      for (const document of some) if (!gone.has(document)) typeIds.add(document.typeId);
    }
    for (const typeId of typeIds) await this.indexAll(typeId);
    return { indexed: [...typeIds], dropped, freed: freed.length };
  }

  /** Of terms the background takes them up. */
  private async finishStuck(): Promise<readonly IndexingTask[]> {
    const freed = await this.queue.freeStuck();
    for (const { kind, targetId } of freed) if (kind !== 'term') await this.indexAll(kind === 'all' ? null : targetId);
    return freed;
  }

  /** @returns those whose record is gone or in the trash, which are dropped */
  private dropGone(leftOver: readonly IndexedRecord[]): Promise<readonly IndexedRecord[]> {
    return this.unitOfWork.run(async (manager) => {
      const ids = leftOver.map(({ id }) => id);
      const these = { sql: `r.id IN (${placeholders(ids)}) AND r.trashed_at = 0`, values: ids };
      const span = { after: 0, upTo: Number.MAX_SAFE_INTEGER };
      const living = new Set((await lockRecords(manager, this.dialect, these, span, ids.length)).map(({ id }) => id));
      const gone = leftOver.filter(({ id }) => !living.has(id));
      await this.index.remove(manager, gone);
      return gone;
    });
  }

  /** Makes a damaged index anew, out of all records. */
  remake(): Promise<void> {
    return this.indexAll(null);
  }

  /** Indexes the records of a type, or all, anew, or waits for the process that does. */
  private async indexAll(typeId: number | null): Promise<void> {
    await this.reindex.begin(typeId);
    for await (const step of this.reindex.steps()) if (step.isDone) return;
  }
}
