import type { TypeDefinition } from '../../content-types/definition/content-type.js';
import type { NarrowRow } from '../../records/rows/record-row.js';

/** An excerpt, and what it was cut from. */
interface Excerpt {
  readonly html: string;
  readonly version: number;
  readonly updatedAt: number;
  readonly typeVersion: number;
}

/** Some 500 bytes each. */
const MOST_EXCERPTS = 5_000;

/**
 * A cache of excerpts by query. One that was cut from another version of its record or its type is not used, so nothing
 * is shown that was changed since, by whatever process.
 */
export class ExcerptCache {
  /** By query, least recently used first. */
  private readonly queries = new Map<string, Map<number, Excerpt>>();
  private size = 0;

  /** Whether there is an excerpt of any of some records. */
  hasAny(query: string, ids: readonly number[]): boolean {
    const known = this.queries.get(query);
    return known !== undefined && ids.some((id) => known.has(id));
  }

  of(query: string, row: NarrowRow, type: TypeDefinition): string | undefined {
    const known = this.queries.get(query)?.get(row.id);
    const isSame =
      known?.version === row.version && known.updatedAt === row.updated_at && known.typeVersion === type.version;
    return isSame ? known.html : undefined;
  }

  keep(query: string, row: NarrowRow, type: TypeDefinition, html: string): void {
    const excerpts = this.queries.get(query) ?? new Map<number, Excerpt>();
    this.size -= excerpts.size;
    // A copy: V8 would keep the whole text that an excerpt was cut from.
    const copy = Buffer.from(html).toString();
    excerpts.set(row.id, { html: copy, version: row.version, updatedAt: row.updated_at, typeVersion: type.version });
    this.size += excerpts.size;
    this.queries.delete(query);
    this.queries.set(query, excerpts);
    for (const [oldest, { size }] of this.queries) {
      if (this.size <= MOST_EXCERPTS) break;
      this.queries.delete(oldest);
      this.size -= size;
    }
  }
}
