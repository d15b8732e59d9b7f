import { Injectable } from '@nestjs/common';
import { Dialect } from '../../database/dialect/dialect.js';
import { placeholders } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { lockRecords } from '../../records/rows/record-portions.js';
import { SearchReindex } from '../indexing/search-reindex.js';
import { SearchIndex, type IndexedRecord } from '../search-index.js';
import type { IndexFaults } from './index-differences.js';

/** What was put right. */
export interface MendedDocuments {
  /** Records that were indexed anew, by the ids of their types. */
  readonly indexed: ReadonlyMap<number, number>;
  /** Documents of no record that were dropped. */
  readonly dropped: number;
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
  ) {}

  async run({ missing, strays }: IndexFaults): Promise<MendedDocuments> {
    const typeIds = new Set(missing.keys());
    let dropped = 0;
    for (let start = 0; start < strays.length; start += AT_ONCE) {
      const some = strays.slice(start, start + AT_ONCE);
      const gone = new Set(await this.dropGone(some));
      dropped += gone.size;
      // A document of what a record was before goes when the record is indexed.
      for (const stray of some) if (!gone.has(stray)) typeIds.add(stray.typeId);
    }
    const indexed = new Map<number, number>();
    for (const typeId of typeIds) indexed.set(typeId, await this.indexAll(typeId));
    return { indexed, dropped };
  }

  /** @returns those whose record is gone or in the trash, which are dropped */
  private dropGone(strays: readonly IndexedRecord[]): Promise<readonly IndexedRecord[]> {
    return this.unitOfWork.run(async (manager) => {
      const ids = strays.map(({ id }) => id);
      const these = { sql: `r.id IN (${placeholders(ids)}) AND r.trashed_at = 0`, values: ids };
      const span = { after: 0, upTo: Number.MAX_SAFE_INTEGER };
      const living = new Set((await lockRecords(manager, this.dialect, these, span, ids.length)).map(({ id }) => id));
      const gone = strays.filter(({ id }) => !living.has(id));
      await this.index.remove(manager, gone);
      return gone;
    });
  }

  /** Indexes the records of a type anew, or waits for the process that does. */
  private async indexAll(typeId: number): Promise<number> {
    await this.reindex.begin(typeId);
    let records = 0;
    for await (const step of this.reindex.steps()) records += step.records;
    return records;
  }
}
