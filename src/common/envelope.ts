import type { PageQuery } from './http/url-query.js';

/** One thing, as every content route answers it. */
export interface Envelope<T> {
  readonly data: T;
}

/** What a list says about itself. */
export interface ListMeta {
  /** Number of all matching items; absent when the client asked for `count=none`. */
  readonly total?: number;
  readonly per_page: number;
  readonly current_page: number;
  readonly last_page?: number;
  /** Opaque; `null` on the last page. */
  readonly next_cursor?: string | null;
}

/** Many things and where in the whole they stand. */
export interface ListEnvelope<T> {
  readonly data: readonly T[];
  readonly meta: ListMeta;
}

/** The number of the last page; an empty list has one page. */
export function lastPage(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage));
}

/** What one page of a list says about itself. */
export function pageMeta(total: number, { page, perPage }: PageQuery): ListMeta {
  return { total, per_page: perPage, current_page: page, last_page: lastPage(total, perPage) };
}

/** All of what is never so much that it would need pages. */
export function wholeList<T>(data: readonly T[]): ListEnvelope<T> {
  return { data, meta: pageMeta(data.length, { page: 1, perPage: Math.max(1, data.length) }) };
}
