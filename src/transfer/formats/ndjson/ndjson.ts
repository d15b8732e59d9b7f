import { isJsonObject } from '../../../common/schema/json-object.js';
import { basename } from 'node:path';
import { linesIn } from '../../lines-in.js';
import { UnreadableFileError, fileText } from '../file-text.js';
import type { ImportEntry, ImportItem, FileLine, TermName } from '../import-entry.js';
import { Settings } from '../settings.js';
import { exactJson } from '../../../common/text/exact-numbers.js';

/** The first line of an NDJSON file. */
export const NDJSON_HEADER = { kind: 'header', format: 'cms-ndjson', version: 1 } as const;

type Values = Readonly<Record<string, unknown>>;

/** Keys of a record that are none of its own fields. */
const BUILT_IN = new Set(
  'id type title slug body status locale terms url version published_at created_at updated_at created_by updated_by'.split(
    ' ',
  ),
);

/** Reads an export of the API or the command line: an item for each record. Types are there to be read only. */
export async function* readNdjson(path: string): AsyncGenerator<ImportEntry> {
  const file = basename(path);
  try {
    let isBegun = false;
    for await (const line of linesOf(path)) {
      if (isBegun) yield* entriesOf(line, file);
      else requireHeader(line);
      isBegun = true;
    }
    if (!isBegun) throw new UnreadableFileError('is empty.');
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    yield { kind: 'unreadable', file, line: error.line, message: `The file ${error.message}` };
  }
}

/** @throws {UnreadableFileError} the first line is not that of an export */
function requireHeader(first: ParsedLine): void {
  const { kind, format, version } = 'kind' in first ? first.body : {};
  if (kind !== NDJSON_HEADER.kind || format !== NDJSON_HEADER.format)
    throw new UnreadableFileError('is no export of this service: its first line is another one.', first.line);
  if (version !== NDJSON_HEADER.version)
    throw new UnreadableFileError('was written by a release that this one does not know.', first.line);
}

function* entriesOf(line: ParsedLine, file: string): Generator<ImportEntry> {
  const place = { file, line: line.line };
  if ('message' in line) yield { kind: 'unreadable', ...place, message: line.message };
  else if (line.kind === 'record') yield itemOf(isJsonObject(line.body.data) ? line.body.data : {}, place);
  else if (line.kind !== 'type') {
    const what = `lines of the kind "${line.kind}"`;
    yield { kind: 'leftover', what, reason: 'Only records are read.', ...place };
  }
}

/** A record as a line shows it. */
function itemOf(data: Values, { file, line }: FileLine): ImportItem {
  const given = Object.entries(data).filter(([, value]) => value !== null);
  const settings = new Settings(file, Object.fromEntries(given.map(([name, value]) => [name, { value, line }])));
  if (!Number.isSafeInteger(data.id)) settings.problem(line, 'The record has no id.');
  if (typeof (data.body ?? '') !== 'string') settings.problem(line, 'body must be a text.');
  const text = (name: string): string | null => settings.text(name)?.value ?? null;
  return {
    kind: 'item',
    file,
    line,
    // What distinguishes the record from others, in this run and in the next.
    key: Number.isSafeInteger(data.id) ? `id:${String(data.id)}` : '',
    type: text('type'),
    title: text('title') ?? '',
    slug: text('slug'),
    status: text('status'),
    locale: text('locale'),
    createdAt: settings.moment('created_at'),
    publishedAt: settings.moment('published_at'),
    body: typeof data.body === 'string' ? data.body : null,
    values: Object.fromEntries(
      given.filter(([name]) => !BUILT_IN.has(name)).map(([name, value]) => [name, { value, line }]),
    ),
    terms: termsOf(data, settings, line),
    problems: settings.problems,
    notes: [],
  };
}

function termsOf({ terms = {} }: Values, settings: Settings, line: number): ImportItem['terms'] {
  const entries = isJsonObject(terms) ? Object.entries(terms) : [];
  if (!isJsonObject(terms) || !entries.every(([, names]) => isTerms(names))) {
    settings.problem(line, 'terms must be lists of terms with slug and name, by their taxonomies.');
    return {};
  }
  return Object.fromEntries(
    (entries as [string, readonly TermName[]][])
      .filter(([, names]) => names.length > 0)
      .map(([taxonomy, names]) => [taxonomy, names.map(({ name, slug }) => ({ name, slug }))]),
  );
}

function isTerms(value: unknown): value is readonly TermName[] {
  return (
    Array.isArray(value) &&
    value.every((one) => isJsonObject(one) && typeof one.name === 'string' && typeof one.slug === 'string')
  );
}

/** One line of a file: an object with a kind, or why it is none. */
type ParsedLine = { readonly line: number } & (
  { readonly kind: string; readonly body: Readonly<Record<string, unknown>> } | { readonly message: string }
);

/** A record has 1,048,576 characters at most, and each of them may be escaped by twelve (`\ud83d\ude00`). */
const MAX_LENGTH = 32 * 1024 * 1024;

/** The lines of a file, one after the other, without empty ones. @throws {UnreadableFileError} */
async function* linesOf(path: string): AsyncGenerator<ParsedLine> {
  let line = 0;
  try {
    for await (const texts of linesIn(fileText(path), MAX_LENGTH)) {
      for (const text of texts) {
        line += 1;
        if (text.trim() !== '') yield parsed(text, line);
      }
    }
  } catch (error) {
    throw error instanceof RangeError ? new UnreadableFileError('has a line that is too long.') : error;
  }
}

function parsed(text: string, line: number): ParsedLine {
  const value = jsonOf(text);
  if (value === undefined) return { line, message: 'The line is no JSON, or it is cut off.' };
  const { kind } = (value ?? {}) as { kind?: unknown };
  if (typeof kind !== 'string') return { line, message: 'The line has no kind.' };
  return { line, kind, body: value as Readonly<Record<string, unknown>> };
}

function jsonOf(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    return undefined;
  }
}
