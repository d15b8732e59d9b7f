import { Injectable } from '@nestjs/common';
import { timeText } from '../../common/text/time-text.js';
import { Settings } from '../../config/settings.js';
import type { CompiledType, TypeDefinition } from '../../content-types/definition/content-type.js';
import type { Field } from '../../content-types/kinds/field.js';
import { kindOf } from '../../content-types/kinds/kinds.js';
import type { TermRow } from '../../taxonomy/terms/term-row.js';
import { TaxonomiesService } from '../../taxonomy/taxonomies/taxonomies.service.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';
import { Actors } from './actors.js';
import { termIdsOf, termsOf, valuesOf, type FieldValues, type RecordRow } from './record-row.js';

/** A record as the API shows it: the keys of its type's own fields stand beside the built-in ones. */
export type RecordView = Readonly<Record<string, unknown>>;

/** A pointer to another record. */
export interface Reference {
  readonly id: number;
  readonly type: string;
}

/** The references that the value of a relation holds. What another program has put in the place of one points nowhere. */
export function referencesOf(value: unknown): Reference[] {
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).filter(isPointer);
}

function isPointer(item: unknown): item is Reference {
  return typeof item === 'object' && item !== null && Number.isSafeInteger((item as Partial<Reference>).id);
}

/** Terms by the ids that records know them by. */
type KnownTerms = ReadonlyMap<number, TermRow>;

/** Puts something in the place of a reference, or leaves it as it is. */
type Resolve = (field: Field, reference: Reference) => unknown;

/** Shapes rows into answers. */
@Injectable()
export class RecordViews {
  constructor(
    private readonly settings: Settings,
    private readonly actors: Actors,
    private readonly terms: TermsService,
    private readonly taxonomies: TaxonomiesService,
  ) {}

  /** Reads what {@link of} needs beside the rows: a query at most for their authors, and one for their terms. */
  async prepare(rows: readonly RecordRow[]): Promise<KnownTerms> {
    const [authors, terms] = [new Set<number>(), new Set<number>()];
    for (const row of rows) {
      authors.add(row.created_by).add(row.updated_by);
      for (const id of termIdsOf(termsOf(row))) terms.add(id);
    }
    await this.actors.load(authors);
    return terms.size === 0 ? new Map() : this.terms.byIds(terms);
  }

  /** Views of rows of one type, which are not long together. @param only names of the keys to show; `null` for all */
  async all(
    type: CompiledType,
    rows: readonly RecordRow[],
    only: ReadonlySet<string> | null = null,
  ): Promise<RecordView[]> {
    const known = await this.prepare(rows);
    const views: RecordView[] = [];
    for (const row of rows) views.push(this.of(type, row, known, only));
    return views;
  }

  /**
   * True if a version of a record always looked as it looks now: its type, its terms and the names of its authors, which
   * were loaded to show it, have not changed since. Their changes have a time that is later than every write before them.
   */
  async isAsWritten(type: CompiledType, { updated_at: at, created_by, updated_by }: RecordRow): Promise<boolean> {
    const renamedAt = Math.max(this.actors.renamedAt(created_by), this.actors.renamedAt(updated_by));
    return at >= renamedAt && at >= type.updated_at && at > (await this.taxonomies.termsChangedAt(type.taxonomies));
  }

  /**
   * @param known what {@link prepare} has read
   * @param only names of the keys to show; `null` for all
   */
  of(
    type: CompiledType,
    row: RecordRow,
    known: KnownTerms,
    only: ReadonlySet<string> | null = null,
    resolve: Resolve = asIs,
  ): RecordView {
    const view: RecordView = {
      id: row.id,
      type: type.name,
      title: row.title,
      slug: row.slug ?? row.trashed_slug ?? '',
      body: row.body,
      status: row.status,
      locale: row.locale,
      ...ownFields(type, row, resolve),
      terms: termViews(type, row, known),
      url: row.slug === null ? null : recordUrl(this.settings.siteUrl, type, { ...row, slug: row.slug }),
      version: row.version,
      published_at: row.published_at === null ? null : timeText(row.published_at),
      created_at: timeText(row.created_at),
      updated_at: timeText(row.updated_at),
      created_by: this.actors.view(row.created_by),
      updated_by: this.actors.view(row.updated_by),
    };
    return only === null ? view : Object.fromEntries(Object.entries(view).filter(([key]) => only.has(key)));
  }
}

const asIs: Resolve = (_field, reference) => reference;

function ownFields({ fields }: CompiledType, row: RecordRow, resolve: Resolve): Record<string, unknown> {
  if (fields.length === 0 || typeof row.data !== 'string') return {};
  const values: FieldValues = valuesOf(row);
  const own: Record<string, unknown> = {};
  for (const field of fields) own[field.name] = shown(field, values[field.id] ?? null, resolve);
  return own;
}

/** A term that was deleted a moment ago is left out. */
function termViews({ taxonomies }: CompiledType, row: RecordRow, known: KnownTerms): Record<string, object[]> {
  const ids = termsOf(row);
  const views: Record<string, object[]> = {};
  for (const taxonomy of taxonomies) {
    const terms: object[] = [];
    for (const id of ids[taxonomy] ?? []) {
      const term = known.get(id);
      if (term) terms.push({ id: term.id, slug: term.slug, name: term.name });
    }
    views[taxonomy] = terms;
  }
  return views;
}

function shown(field: Field, value: unknown, resolve: Resolve): unknown {
  const { isReference, countsItems } = kindOf(field.type);
  // A list without what stands for nothing, as another program may have put it there.
  if (!isReference) return countsItems && Array.isArray(value) ? value.filter((item) => item !== null) : value;
  if (value === null) return null;
  const references = referencesOf(value).map((reference) => resolve(field, reference));
  return Array.isArray(value) ? references : (references[0] ?? null);
}

/** Every key of a record that is there whatever its type is. */
export const BUILT_IN_KEYS: ReadonlySet<string> = new Set([
  'id',
  'type',
  'title',
  'slug',
  'body',
  'status',
  'locale',
  'terms',
  'url',
  'version',
  'published_at',
  'created_at',
  'updated_at',
  'created_by',
  'updated_by',
]);

/** The keys that stand in the contents. */
const WIDE_KEYS = new Set(['body', 'terms']);

/** True if the narrow row has all that is to be shown: the contents can stay unread then. */
export function isNarrow(only: ReadonlySet<string> | null): boolean {
  return only !== null && [...only].every((key) => !WIDE_KEYS.has(key) && BUILT_IN_KEYS.has(key));
}

interface Addressed {
  readonly id: number;
  readonly slug: string;
  readonly locale: string;
}

const PLAIN = /^[\w-]*$/;

/** Escapes a part of an address. An apostrophe may stand in one, but a sitemap wants it escaped and both must be the same. */
function escaped(part: string): string {
  return PLAIN.test(part) ? part : encodeURIComponent(part).replaceAll("'", '%27');
}

/**
 * The address of a record on the website: `/post/{slug}` -> `https://www.example.com/post/hello-world`.
 *
 * @param site origin of the website, without a slash at the end
 */
export function recordUrl(
  site: string,
  { url_path: path, name: type }: Pick<TypeDefinition, 'url_path' | 'name'>,
  { id, slug, locale }: Addressed,
): string {
  const parts: Readonly<Record<string, string | undefined>> = { slug, id: String(id), type, locale };
  return site + path.replaceAll(/\{(\w+)\}/g, (place, name: string) => escaped(parts[name] ?? place));
}
