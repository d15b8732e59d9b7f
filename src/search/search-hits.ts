import { Injectable } from '@nestjs/common';
import { setImmediate as turn } from 'node:timers/promises';
import { Settings } from '../config/settings.js';
import type { Status } from '../content-types/content-type.js';
import { RecordReader } from '../records/record-reader.js';
import type { RecordRow } from '../records/record-row.js';
import { stateOf } from '../records/writing/record-state.js';
import { recordUrl } from '../records/record-url.js';
import { readableText } from './search-documents.js';
import type { SearchHit } from './search-index.js';
import type { ScopedType } from './search-scope.js';
import { partOf } from './text/body-parts.js';
import { excerpt, highlight } from './text/highlight.js';
import type { SearchQuery } from './text/query.js';

/** A found record as the API shows it. */
export interface HitView {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly slug: string | null;
  readonly status: Status;
  readonly url: string | null;
  /** From 1 for the best hit of the answer down to 0; to be compared within one answer only. */
  readonly score: number;
  /** HTML: the part of the text that answers best, escaped, with `<mark>` around what was found. */
  readonly excerpt: string;
  readonly highlights: { readonly title: string };
  readonly published_at: string | null;
  readonly updated_at: string;
}

const SCORE_DIGITS = 1e4;
const LONG_BODY = 20_000;

/** Shapes hits into answers. */
@Injectable()
export class SearchHits {
  constructor(
    private readonly reader: RecordReader,
    private readonly settings: Settings,
  ) {}

  /** In the order of the hits. A record that has changed since it was found is left out if it must not be seen now. */
  async of(hits: readonly SearchHit[], query: SearchQuery, scope: readonly ScopedType[]): Promise<HitView[]> {
    const rows = await this.rowsOf(hits);
    const best = bestOf(hits);
    const views: HitView[] = [];
    for (const hit of hits) {
      const row = rows.get(hit.id);
      const where = row && placeOf(row, scope);
      if (!where) continue;
      views.push(this.view(row, where, { query, score: hit.score / best }));
      // To cut excerpts from many long bodies takes a while.
      if (isLong(row)) await turn();
    }
    return views;
  }

  private async rowsOf(hits: readonly SearchHit[]): Promise<ReadonlyMap<number, RecordRow>> {
    const rows = new Map<number, RecordRow>();
    for await (const portion of this.reader.portions(hits.map(({ id }) => id))) {
      for (const row of portion) rows.set(row.id, row);
    }
    return rows;
  }

  private view(
    row: RecordRow,
    { type }: ScopedType,
    { query, score }: { readonly query: SearchQuery; readonly score: number },
  ): HitView {
    return {
      id: row.id,
      type: type.name,
      title: row.title,
      slug: row.slug,
      status: row.status,
      url: row.slug === null ? null : recordUrl(this.settings.siteUrl, type, { ...row, slug: row.slug }),
      score: Math.round(score * SCORE_DIGITS) / SCORE_DIGITS,
      excerpt: excerpt(readableText(type, { ...stateOf(row), body: partOf(row.body, query) }), query).html,
      highlights: { title: highlight(row.title, query) },
      published_at: row.published_at === null ? null : new Date(row.published_at).toISOString(),
      updated_at: new Date(row.updated_at).toISOString(),
    };
  }
}

/** What scores are measured by; where no hit is ranked, all have 0 of it. */
function bestOf([first]: readonly SearchHit[]): number {
  return Math.max(first?.score ?? 0, Number.MIN_VALUE);
}

function isLong({ body }: RecordRow): boolean {
  return body !== null && body.length > LONG_BODY;
}

/** Where a record is seen, if it is. */
function placeOf(row: RecordRow, scope: readonly ScopedType[]): ScopedType | undefined {
  return scope.find(({ typeId, statuses }) => typeId === row.type_id && statuses.includes(row.status));
}
