import type { Status } from '../../content-types/content-type.js';
import type { Reads } from '../../database/reads.js';
import { placeholders } from '../../database/statement.js';
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

/** Ids whose documents are looked for at once. Above a thousand values MariaDB makes another plan for `IN`. */
export const IDS_PER_LOOK = 500;
/** So many documents are read whatever their size. */
const FEW = 4;
/** To read more of them than that at once would hold up other requests. */
const PORTION_BYTES = 1_000_000;
const SIZE = 'record_id AS id, LENGTH(title) + LENGTH(terms) + LENGTH(body) AS bytes';

/** Reads documents from the server, as many at once as are read within a few milliseconds. */
export class DocumentRows {
  constructor(private readonly reads: Reads) {}

  /** The documents of some records, {@link IDS_PER_LOOK} at most. */
  async *of(ids: readonly number[]): AsyncGenerator<DocumentPortion> {
    if (ids.length === 0) return;
    if (ids.length <= FEW) {
      yield await this.portion(ids);
      return;
    }
    const sizes = await this.sizes(`record_id IN (${placeholders(ids)})`, ids);
    const there = new Set(sizes.map(({ id }) => id));
    const others = ids.filter((id) => !there.has(id)).map((id) => ({ id, bytes: 0 }));
    for (const portion of portionsOf([...sizes, ...others])) yield await this.portion(portion);
  }

  /** The documents that follow an id; none: there are no more. */
  async *after(id: number): AsyncGenerator<DocumentPortion> {
    for (const portion of portionsOf(await this.sizes('record_id > ?', [id]))) yield await this.portion(portion);
  }

  private async sizes(condition: string, values: readonly number[]): Promise<Size[]> {
    const rows = await this.reads.select<{ id: number | string; bytes: number | string }>(
      `SELECT ${SIZE} FROM search_documents WHERE ${condition} ORDER BY record_id LIMIT ${IDS_PER_LOOK}`,
      values,
    );
    return rows.map(({ id, bytes }) => ({ id: Number(id), bytes: Number(bytes) }));
  }

  private async portion(ids: readonly number[]): Promise<DocumentPortion> {
    const rows = await this.reads.select<Row>(
      `SELECT record_id AS id, type_id, status, sort_at, title, terms, body FROM search_documents
        WHERE record_id IN (${placeholders(ids)})`,
      ids,
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
