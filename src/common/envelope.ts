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
