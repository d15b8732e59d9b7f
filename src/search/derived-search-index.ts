import type { EntityManager } from 'typeorm';
import type { DerivedIndexReport } from '../common/derived-indexes.js';
import type { FulltextSearchIndex } from './fulltext/fulltext-search-index.js';
import { SearchIndex, type IdRange, type SearchDocument } from './search-index.js';

/**
 * An index beside the database, and made from it: documents are written to the database alone, with the records, and the
 * index follows.
 */
export abstract class DerivedSearchIndex extends SearchIndex {
  /** @param database written with the records; the index is fed from it */
  constructor(protected readonly database: FulltextSearchIndex) {
    super();
  }

  upsert(manager: EntityManager, documents: readonly SearchDocument[]): Promise<void> {
    return this.database.upsert(manager, documents);
  }

  remove(manager: EntityManager, records: readonly { id: number; typeId: number }[]): Promise<void> {
    return this.database.remove(manager, records);
  }

  replace(manager: EntityManager, typeId: number, range: IdRange, documents: readonly SearchDocument[]): Promise<void> {
    return this.database.replace(manager, typeId, range, documents);
  }

  override tidy(): Promise<void> {
    return this.database.tidy();
  }

  /** How far it is behind the database. Fails with the database only. */
  abstract report(): Promise<DerivedIndexReport>;
}
