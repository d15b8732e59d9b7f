import type { StatusCount } from '../content-types/store/type-usage.port.js';
import type { EntityManager } from 'typeorm';
import type { Status } from '../content-types/definition/content-type.js';
import type { SearchQuery } from './text/queries/query.js';

/** The searchable form of a record. Texts are terms of `indexText`, joined by spaces. */
export interface SearchDocument {
  readonly id: number;
  readonly typeId: number;
  readonly status: Status;
  /** The time at which it was published, or made: milliseconds since 1970, UTC. */
  readonly sortAt: number;
  readonly title: string;
  /** Names of the terms that the record holds. */
  readonly terms: string;
  /** Its body and the values of searchable fields. */
  readonly body: string;
}

/** A record, or what is left of it in the index. */
export interface IndexedRecord {
  readonly id: number;
  readonly typeId: number;
}

/** Records of one type that may be found. */
export interface SearchedType {
  readonly typeId: number;
  readonly statuses: readonly Status[];
}

export interface SearchRequest {
  readonly query: SearchQuery;
  /** Only these types and statuses are searched. */
  readonly within: readonly SearchedType[];
  readonly offset: number;
  readonly limit: number;
  /** True if the first hits will do: they need not be counted, and the youngest of very many come before better ones. */
  readonly isQuick?: boolean;
  /** Types and statuses of which the hits are counted one by one; absent: none. */
  readonly countedIn?: readonly SearchedType[] | null;
}

export interface SearchHit {
  readonly id: number;
  /** Larger is better; to be compared within one answer only. 0: not ranked, but listed by age. */
  readonly score: number;
}

export interface SearchResult {
  /** Number of all hits, exactly; of a quick search it may be a smaller one. */
  readonly total: number;
  readonly hits: readonly SearchHit[];
  /** Hits by type and status; those without one are left out. */
  readonly counts?: readonly StatusCount[];
}

/** Ids above `after`, up to and with `upTo`. */
export interface IdRange {
  readonly after: number;
  readonly upTo: number;
}

/**
 * Port to a full-text index. What takes a manager runs inside the unit of work that writes the records, so that a
 * record and what is found of it are never parted.
 */
export abstract class SearchIndex {
  /** Puts documents in the place of those that the same records had. */
  abstract upsert(manager: EntityManager, documents: readonly SearchDocument[]): Promise<void>;
  /** {@link upsert} for records that have had no document before. */
  add(manager: EntityManager, documents: readonly SearchDocument[]): Promise<void> {
    return this.upsert(manager, documents);
  }

  abstract remove(manager: EntityManager, records: readonly { id: number; typeId: number }[]): Promise<void>;
  /** Makes documents the only ones that a type has in a range of ids. */
  abstract replace(
    manager: EntityManager,
    typeId: number,
    range: IdRange,
    documents: readonly SearchDocument[],
  ): Promise<void>;
  /**
   * Title outranks terms, terms outrank the body; equals are listed by age, the youngest first. Where there are very
   * many hits only the youngest are ranked, and the rest follows by age. Pages neither repeat a hit nor leave one out.
   */
  search({ within, countedIn, ...request }: SearchRequest): Promise<SearchResult> {
    return this.find({ ...request, within: within.map(plain), countedIn: countedIn?.map(plain) ?? null });
  }

  protected abstract find(request: SearchRequest): Promise<SearchResult>;

  /** Puts away what has gathered; called from time to time. */
  tidy(): Promise<void> {
    return Promise.resolve();
  }
}

/** Types are richer than what a search asks of them, and all of that would be copied and compared. */
function plain({ typeId, statuses }: SearchedType): SearchedType {
  return { typeId, statuses };
}
