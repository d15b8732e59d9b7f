import { stringify as csv } from 'csv-stringify/sync';
import { stringify as yaml } from 'yaml';
import type { CompiledType } from '../../content-types/content-type.js';
import type { RecordView } from '../../records/record-view.js';

/** Separates several values of a cell, as the import reads them. */
const SEPARATOR = '|';
const BUILT_IN = ['id', 'title', 'slug', 'status', 'locale', 'published_at', 'created_at', 'updated_at'];

interface TermView {
  readonly slug: string;
  readonly name: string;
}

/** A row of a table that begins with {@link columnsOf}. */
export function csvRow(cells: readonly unknown[]): string {
  return csv([cells.map(cellOf)], { quoted_match: /[\r\n]/ });
}

export function columnsOf({ fields, taxonomies }: CompiledType): string[] {
  return [...BUILT_IN, ...fields.map(({ name }) => name), ...taxonomies, 'body'];
}

export function cellsOf(view: RecordView, type: CompiledType): unknown[] {
  const terms = termsOf(view);
  return columnsOf(type).map((name) => (name in terms ? terms[name] : view[name]));
}

/** A record as a Markdown file with front matter, as the import reads it. */
export function markdownOf(view: RecordView, { fields }: CompiledType): string {
  const { title, slug, status, locale, published_at: publishedAt, body } = view;
  const own = fields.map(({ name }) => [name, view[name]] as const).filter(([, value]) => value !== null);
  const terms = Object.entries(termsOf(view)).filter(([, names]) => names.length > 0);
  const date = publishedAt === null ? view.created_at : publishedAt;
  const settings = { title, slug, date, status, locale, ...Object.fromEntries([...own, ...terms]) };
  return `---\n${yaml(settings)}---\n\n${typeof body === 'string' ? body : ''}\n`;
}

/** Names of a record's terms by taxonomy. */
function termsOf(view: RecordView): Record<string, string[]> {
  const terms = view.terms as Readonly<Record<string, readonly TermView[]>>;
  return Object.fromEntries(Object.entries(terms).map(([taxonomy, own]) => [taxonomy, own.map(({ name }) => name)]));
}

function cellOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(partOf).join(SEPARATOR);
  return typeof value === 'object' && value !== null ? partOf(value) : value;
}

/** A reference is its id; what has no shorter form is JSON. */
function partOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { id, type } = value as { id?: unknown; type?: unknown };
  return typeof id === 'number' && typeof type === 'string' ? String(id) : JSON.stringify(value);
}
