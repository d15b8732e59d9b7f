import { DomainError } from '../../common/errors/domain-error.js';
import type { Status } from '../../content-types/definition/content-type.js';
import type { Reads } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import type { SearchDocument } from '../search-index.js';

/** Documents that are read at once, and ids of which there are none. */
export interface DocumentPortion {
  readonly documents: readonly SearchDocument[];
  readonly gone: readonly number[];
  /** The highest of the ids. */
  readonly lastId: number;
}

interface Size {
  readonly id: number;
  readonly bytes: number;
}

interface Row {
  readonly id: number | string;
  readonly type_id: number | string;
  readonly status: Status;
  readonly sort_at: number | string;
  readonly title: string;
  readonly terms: string;
  readonly body: string;
}

/** What the list of changes was when a statement was answered. */
interface ListState {
  /** How many of the changes that it must have it had. */
  readonly seen: number | string;
  readonly first: number | string | null;
}

/** Ids whose documents are looked for at once. Above a thousand values MariaDB makes another plan for `IN`. */
export const IDS_PER_LOOK = 500;
/** So many documents are read whatever their size. */
const FEW = 4;
/** To read more of them than that at once would hold up other requests. */
const PORTION_BYTES = 1_000_000;
const SIZE = 'record_id AS id, LENGTH(title) + LENGTH(terms) + LENGTH(body) AS bytes';

/** The connection leads to an older state of the database than the one that the changes were read from. */
export class StaleReadError extends DomainError {
  constructor() {
    super('overloaded', 'The database has answered from an older state than before, as a replica does that lags.');
  }
}

/**
 * Reads documents from the server, as many at once as are read within a few milliseconds. Changes are read over other
 * connections, so each statement says whether it sees those that its documents must have.
 */
export class DocumentRows {
  constructor(private readonly reads: Reads) {}

  /**
   * The documents of some records, {@link IDS_PER_LOOK} at most.
   *
   * @param changes rows of the list of changes that the documents must have
   * @throws {StaleReadError}
   */
  async *of(ids: readonly number[], changes: readonly number[]): AsyncGenerator<DocumentPortion> {
    if (ids.length === 0) return;
    if (ids.length <= FEW) {
      yield await this.portion(ids, changes);
      return;
    }
    const sizes = await this.sizes(`record_id IN (${placeholders(ids)})`, ids, changes);
    const there = new Set(sizes.map(({ id }) => id));
    const others = ids.filter((id) => !there.has(id)).map((id) => ({ id, bytes: 0 }));
    for (const portion of portionsOf([...sizes, ...others])) yield await this.portion(portion, changes);
  }

  /** The documents that follow an id; none: there are no more. @throws {StaleReadError} */
  async *after(id: number, changes: readonly number[]): AsyncGenerator<DocumentPortion> {
    const sizes = await this.sizes('record_id > ?', [id], changes);
    for (const portion of portionsOf(sizes)) yield await this.portion(portion, changes);
  }

  /** The highest id of a record that has a document; 0: there is none. */
  async highestId(): Promise<number> {
    const [row] = await this.reads.select<{ id: number | string | null }>(
      'SELECT MAX(record_id) AS id FROM search_documents',
    );
    return Number(row?.id ?? 0);
  }

  private async sizes(condition: string, values: readonly number[], changes: readonly number[]): Promise<Size[]> {
    const rows = await this.rows<{ id: number | string; bytes: number | string }>(
      'd.id, d.bytes',
      {
        text: `(SELECT ${SIZE} FROM search_documents WHERE ${condition} ORDER BY record_id LIMIT ${IDS_PER_LOOK}) AS d ON TRUE`,
        values,
      },
      changes,
    );
    return rows.map(({ id, bytes }) => ({ id: Number(id), bytes: Number(bytes) }));
  }

  private async portion(ids: readonly number[], changes: readonly number[]): Promise<DocumentPortion> {
    const rows = await this.rows<Row>(
      'd.record_id AS id, d.type_id, d.status, d.sort_at, d.title, d.terms, d.body',
      { text: `search_documents AS d ON d.record_id IN (${placeholders(ids)})`, values: ids },
      changes,
    );
    const documents = rows.map(({ id, type_id: typeId, sort_at: sortAt, status, title, terms, body }) => ({
      id: Number(id),
      typeId: Number(typeId),
      sortAt: Number(sortAt),
      status,
      title,
      terms,
      body,
    }));
    const there = new Set(documents.map(({ id }) => id));
    return { documents, gone: ids.filter((id) => !there.has(id)), lastId: Math.max(...ids) };
  }

  /** One statement sees one state of the database, so it says itself which changes it sees. */
  private async rows<Found extends { readonly id: number | string }>(
    columns: string,
    documents: { readonly text: string; readonly values: readonly number[] },
    changes: readonly number[],
  ): Promise<Found[]> {
    const looked = changes.length > 0 ? changes : [0];
    const rows = await this.reads.select<(Found | { readonly id: null }) & ListState>(
      `SELECT ${columns}, state.seen, state.first
         FROM (SELECT (SELECT COUNT(*) FROM search_changes WHERE id IN (${placeholders(looked)})) AS seen,
                      (SELECT MIN(id) FROM search_changes) AS first) AS state
         LEFT JOIN ${documents.text}`,
      [...looked, ...documents.values],
    );
    const [state] = rows;
    // What is put away is put away from the beginning, after some minutes.
    const first = Number(state?.first ?? Infinity);
    if (Number(state?.seen) < changes.filter((row) => row >= first).length) throw new StaleReadError();
    return rows.filter((row): row is Found & ListState => row.id !== null);
  }
}

/** Ids in their order, cut where enough bytes are together. */
function portionsOf(sizes: readonly Size[]): number[][] {
  const portions: number[][] = [];
  let room = 0;
  for (const { id, bytes } of sizes) {
    if (portions.length === 0 || bytes > room) {
      portions.push([]);
      room = PORTION_BYTES;
    }
    portions.at(-1)?.push(id);
    room -= bytes;
  }
  return portions;
}
