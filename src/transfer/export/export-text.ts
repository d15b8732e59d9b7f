import { stringify as csv } from 'csv-stringify/sync';
import type { CompiledType, FieldKind } from '../../content-types/content-type.js';
import type { RecordView } from '../../records/record-view.js';
import { guarded } from '../cell-guard.js';

/** Separates several values of a cell, as the import reads them. */
const SEPARATOR = '|';
const BUILT_IN = ['id', 'title', 'slug', 'status', 'locale', 'published_at', 'created_at', 'updated_at'];

interface TermView {
  readonly slug: string;
  readonly name: string;
}

/** A row of a table that begins with {@link columnsOf}. @param isGuarded whether texts that a spreadsheet would run are guarded */
export function csvRow(cells: readonly unknown[], isGuarded: boolean): string {
  const shown = isGuarded ? cells.map((cell) => (typeof cell === 'string' ? guarded(cell) : cell)) : cells;
  return csv([[...shown]], { quoted_match: /[\r\n]/ });
}

export function columnsOf({ fields, taxonomies }: CompiledType): string[] {
  return [...BUILT_IN, ...fields.map(({ name }) => name), ...taxonomies, 'body'];
}

export function cellsOf(view: RecordView, type: CompiledType): unknown[] {
  const terms = termsOf(view);
  return columnsOf(type).map((name) =>
    Object.hasOwn(terms, name) ? cellOf(terms[name]) : cellOf(view[name], type.fieldsByName.get(name)?.type),
  );
}

/** Names of a record's terms by taxonomy. */
export function termsOf(view: RecordView): Record<string, string[]> {
  const terms = view.terms as Readonly<Record<string, readonly TermView[]>>;
  return Object.fromEntries(Object.entries(terms).map(([taxonomy, own]) => [taxonomy, own.map(({ name }) => name)]));
}

function cellOf(value: unknown, kind?: FieldKind): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'json') return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(itemOf).join(SEPARATOR);
  return typeof value === 'object' || typeof value === 'boolean' ? partOf(value) : value;
}

/** A bar that separates nothing has a backslash before it. */
function itemOf(value: unknown): string {
  return partOf(value).replaceAll(SEPARATOR, `\\${SEPARATOR}`);
}

/** A reference is its id; what has no shorter form is JSON. */
function partOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { id, type } = value as { id?: unknown; type?: unknown };
  return typeof id === 'number' && typeof type === 'string' ? String(id) : JSON.stringify(value);
}
