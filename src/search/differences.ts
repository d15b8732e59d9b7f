import type { Reader } from '../database/statements/reads.js';
import type { IdRange, IndexedRecord } from './search-index.js';

/** How an index is held against the records, each time with one statement: a unit of work writes both. */
export interface Differences {
  /** Records outside the trash in a range that have no document of their type, status and time. */
  withoutDocument(reader: Reader, range: IdRange): Promise<readonly IndexedRecord[]>;
  /** Documents in a range that are of no such record. The range from 0 on may answer with all that there are. */
  leftOverDocuments(reader: Reader, range: IdRange): Promise<readonly IndexedRecord[]>;
}
