import { stringify as csv } from 'csv-stringify/sync';
import { stringify as yaml } from 'yaml';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import type { Field } from '../../content-types/kinds/field.js';
import { kindOf } from '../../content-types/kinds/kinds.js';
import type { RecordView } from '../../records/rows/record-views.js';
import { guarded, joinedParts } from '../formats/csv/cell-parts.js';

const BUILT_IN = ['id', 'title', 'slug', 'status', 'locale', 'published_at', 'created_at', 'updated_at'];

interface TermView {
  readonly slug: string;
  readonly name: string;
}

interface CsvOptions {
  /** Whether texts that a spreadsheet would run are guarded. */
  readonly isGuarded: boolean;
}

/** A row of a table that begins with {@link columnsOf}. */
export function csvRow(cells: readonly unknown[], { isGuarded }: CsvOptions): string {
  const shown = isGuarded ? cells.map((cell) => (typeof cell === 'string' ? guarded(cell) : cell)) : cells;
  return csv([[...shown]], { quoted_match: /[\r\n]/ });
}

export function columnsOf({ fields, taxonomies }: CompiledType): string[] {
  return [...BUILT_IN, ...fields.map(({ name }) => name), ...taxonomies, 'body'];
}

export function cellsOf(view: RecordView, type: CompiledType): unknown[] {
  const terms = termsOf(view);
  return columnsOf(type).map((name) =>
    Object.hasOwn(terms, name) ? joinedParts(terms[name] ?? []) : cellOf(view[name], type.fieldsByName.get(name)),
  );
}

/** Names of a record's terms by taxonomy. */
function termsOf(view: RecordView): Record<string, string[]> {
  const terms = view.terms as Readonly<Record<string, readonly TermView[]>>;
  return Object.fromEntries(Object.entries(terms).map(([taxonomy, own]) => [taxonomy, own.map(({ name }) => name)]));
}

/** @param field that has the value; a built-in part of a record has none */
function cellOf(value: unknown, field: Field | undefined): unknown {
  if (value === null || value === undefined) return null;
  if (!field) return value;
  const kind = kindOf(field.type);
  if (kind.maxItems(field) === undefined || !Array.isArray(value)) return kind.toCell(value, field);
  // A database that another program has written to may hold nothing in the place of an item.
  const items = value.filter((item) => item !== null);
  return joinedParts(items.map((item) => String(kind.toCell(item, field))));
}

/** A record as a Markdown file with front matter, as the import reads it. */
export function markdownOf(view: RecordView, { fields }: CompiledType): string {
  const { title, slug, status, locale, published_at: published, created_at: created, body } = view;
  const own = fields.map(({ name }) => [name, view[name]] as const).filter(([, value]) => value !== null);
  const terms = Object.entries(termsOf(view)).filter(([, names]) => names.length > 0);
  const dates =
    published === null || published === created ? { date: created } : { date: published, created_at: created };
  const settings = { title, slug, ...dates, status, locale, ...Object.fromEntries([...own, ...terms]) };
  return `---\n${yaml(settings)}---\n\n${typeof body === 'string' ? body : ''}\n`;
}
