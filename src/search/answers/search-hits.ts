import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ownTurn } from '../../common/concurrency/own-turn.js';
import { objectOf } from '../../common/openapi/describe.js';
import { named } from '../../common/openapi/endpoint.js';
import { CONTENT_TYPE_NAME } from '../../common/openapi/shared-components.js';
import { timeText } from '../../common/text/time-text.js';
import { Settings } from '../../config/settings.js';
import {
  STATUSES,
  type CompiledType,
  type Status,
  type TypeDefinition,
} from '../../content-types/definition/content-type.js';
import { RecordReader } from '../../records/reading/record-reader.js';
import { markOf, NARROW_ROWS, weightOf, type RecordRow } from '../../records/rows/record-row.js';
import { stateOf } from '../../records/writing/record-state.js';
import { recordUrl } from '../../records/rows/record-views.js';
import { readableText } from '../indexing/search-documents.js';
import type { SearchHit } from '../search-index.js';
import type { ScopedType } from './search-scope.js';
import { excerpt, highlight } from '../text/queries/highlight.js';
import type { SearchQuery } from '../text/queries/query.js';
import { rawSpans } from '../text/markup/spans.js';

/** To find words in more than that as a reader would see them takes too long for a page of hits. */
const WHOLE = 32_768;
const PART = 16_384;

/**
 * So much of a body as an excerpt is made of: all of it, or of a long one what stands around the first word of the
 * query, or else its beginning. A part may begin within a tag or a mark, of which little is seen.
 */
export function partOf(body: string | null, query: SearchQuery): string | null {
  if (body === null || body.length <= WHOLE) return body;
  const [first] = rawSpans(body, query, 1);
  const start = Math.max(0, (first?.start ?? 0) - PART / 2);
  return body.slice(start, start + PART).toWellFormed();
}

/** A found record as the API shows it. */
export interface HitView {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly slug: string;
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

const TIME = { type: 'string', format: 'date-time' } as const;

/** {@link HitView} in the description of the API. */
export const SEARCH_HIT = named(
  'SearchHit',
  objectOf({
    id: { type: 'integer', minimum: 1 },
    type: CONTENT_TYPE_NAME,
    title: { type: 'string' },
    slug: { type: 'string' },
    status: { type: 'string', enum: [...STATUSES] },
    url: { type: ['string', 'null'], description: 'Where it is on the website.' },
    score: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description:
        'How near a hit comes to the best one of the answer, which has 1; to be compared within one answer only. 0: one of very many, listed by age.',
    },
    excerpt: {
      type: 'string',
      description: 'HTML: the part of the text that answers best, escaped, with `<mark>` around what was found.',
    },
    highlights: objectOf({ title: { type: 'string', description: 'HTML: the title, escaped, with `<mark>`.' } }),
    published_at: { ...TIME, type: ['string', 'null'] },
    updated_at: TIME,
  }),
);

const SCORE_DIGITS = 1e4;
const LONG = 20_000;

/** A view but for its score, and what it was made of. */
interface KeptView {
  readonly view: HitView;
  readonly mark: string;
  readonly type: CompiledType;
}

type Show = (view: HitView) => void;

/** Some 1,000 bytes each. */
const MOST_VIEWS = 5_000;

/** Shapes hits into answers. */
@Injectable()
export class SearchHits {
  /** By query and id of the record. One that was made of another version of its record or its type is not shown. */
  private readonly kept = new LRUCache<string, KeptView>({ max: MOST_VIEWS });

  constructor(
    private readonly reader: RecordReader,
    private readonly settings: Settings,
  ) {}

  /**
   * Views in the order of the hits. A record that has changed since it was found is left out if it must not be seen now.
   * Records are let go of one by one: a hundred long ones would be a quarter of a gigabyte.
   */
  async of(hits: readonly SearchHit[], query: SearchQuery, scope: readonly ScopedType[]): Promise<HitView[]> {
    const scores = new Map(hits.map(({ id, score }) => [id, score / bestOf(hits)]));
    const key = JSON.stringify(query);
    const views = new Map<number, HitView>();
    const show: Show = (view) => {
      views.set(view.id, { ...view, score: rounded(scores.get(view.id) ?? 0) });
    };
    const ids = [...scores.keys()];
    const kept = new Map(ids.map((id) => [id, this.kept.get(`${id} ${key}`)]));
    if ([...kept.values()].some((one) => one !== undefined)) await this.showKept(kept, scope, show);
    for await (const portion of this.reader.portions(ids.filter((id) => !views.has(id)))) {
      for (const row of portion) {
        const type = scopedTypeOf(row, scope)?.type;
        if (!type) continue;
        const view = this.view(row, type, query);
        this.kept.set(`${row.id} ${key}`, { view, type, mark: markOf(row) });
        show(view);
        // To cut excerpts from many long records takes a while.
        if (weightOf(row) > LONG) await ownTurn();
      }
    }
    return hits.flatMap(({ id }) => views.get(id) ?? []);
  }

  /** Contents are not read of records whose views are kept. */
  private async showKept(
    views: ReadonlyMap<number, KeptView | undefined>,
    scope: readonly ScopedType[],
    show: Show,
  ): Promise<void> {
    for await (const rows of this.reader.portions([...views.keys()], NARROW_ROWS)) {
      for (const row of rows) {
        const kept = views.get(row.id);
        if (kept && kept.type === scopedTypeOf(row, scope)?.type && kept.mark === markOf(row)) show(kept.view);
      }
    }
  }

  private view(row: RecordRow, type: CompiledType, query: SearchQuery): HitView {
    const { id, title, slug, status } = row;
    return {
      id,
      type: type.name,
      title,
      slug: slug ?? '',
      status,
      url: slug === null ? null : recordUrl(this.settings.siteUrl, type, { ...row, slug }),
      score: 0,
      excerpt: excerptOf(row, type, query),
      highlights: { title: highlight(title, query) },
      published_at: row.published_at === null ? null : timeText(row.published_at),
      updated_at: timeText(row.updated_at),
    };
  }
}

function excerptOf(row: RecordRow, type: TypeDefinition, query: SearchQuery): string {
  const state = stateOf(row);
  const html = excerpt(readableText(type, { ...state, body: partOf(state.body, query) }), query);
  // A copy: V8 would keep the whole text that an excerpt was cut from.
  return Buffer.from(html).toString();
}

function rounded(score: number): number {
  return Math.round(score * SCORE_DIGITS) / SCORE_DIGITS;
}

/** The score that others are measured by; if no hit is ranked, all have 0 of it. */
function bestOf([first]: readonly SearchHit[]): number {
  return Math.max(first?.score ?? 0, Number.MIN_VALUE);
}

/** The part of the scope that a record belongs to, if there is one. */
function scopedTypeOf(row: RecordRow, scope: readonly ScopedType[]): ScopedType | undefined {
  return scope.find(({ typeId, statuses }) => typeId === row.type_id && statuses.includes(row.status));
}
