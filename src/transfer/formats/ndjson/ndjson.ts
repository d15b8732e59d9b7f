import { basename } from 'node:path';
import { momentOf } from '../../../common/text/moments.js';
import { NDJSON_HEADER } from '../../ndjson-header.js';
import { UnreadableFileError, fileText } from '../file-text.js';
import type { ImportEntry, ImportItem, Place, Remark, TermName } from '../import-entry.js';
import { exactJson } from '../../../common/text/exact-numbers.js';

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
  else if (line.kind === 'record') yield new RecordLine(line.body.data, place).item();
  else if (line.kind !== 'type') {
    const what = `lines of the kind "${line.kind}"`;
    yield { kind: 'leftover', what, reason: 'Only records are read.', ...place };
  }
}

/** A record as a line shows it, part by part. */
class RecordLine {
  private readonly problems: Remark[] = [];
  private readonly data: Values;

  constructor(
    data: unknown,
    private readonly place: Place,
  ) {
    this.data = isObject(data) ? data : {};
  }

  item(): ImportItem {
    const { data, place, problems } = this;
    return {
      kind: 'item',
      ...place,
      key: this.key(),
      type: this.text('type'),
      title: this.text('title') ?? '',
      slug: this.text('slug'),
      status: this.text('status'),
      locale: this.text('locale'),
      createdAt: this.moment('created_at'),
      publishedAt: this.moment('published_at'),
      body: this.text('body'),
      values: Object.fromEntries(
        Object.entries(data)
          .filter(([name, value]) => !BUILT_IN.has(name) && value !== null)
          .map(([name, value]) => [name, { value, line: place.line }]),
      ),
      terms: this.terms(),
      problems,
      notes: [],
    };
  }

  /** What distinguishes the record from others, in this run and in the next. */
  private key(): string {
    const { id } = this.data;
    if (Number.isSafeInteger(id)) return `id:${String(id)}`;
    this.problem('The record has no id.');
    return '';
  }

  private text(name: string): string | null {
    const value = this.data[name] ?? null;
    if (value === null || typeof value === 'string') return value;
    this.problem(`${name} must be a text.`);
    return null;
  }

  private moment(name: string): number | null {
    const text = this.text(name);
    const at = text === null ? null : momentOf(text);
    if (text !== null && at === null) this.problem(`${name} is no moment such as 2024-02-29T09:30:00Z.`);
    return at;
  }

  private terms(): ImportItem['terms'] {
    const { terms = {} } = this.data;
    const entries = isObject(terms) ? Object.entries(terms) : [];
    if (!isObject(terms) || !entries.every(([, names]) => isTerms(names))) {
      this.problem('terms must be lists of terms with slug and name, by their taxonomies.');
      return {};
    }
    return Object.fromEntries(
      (entries as [string, readonly TermName[]][])
        .filter(([, names]) => names.length > 0)
        .map(([taxonomy, names]) => [taxonomy, names.map(({ name, slug }) => ({ name, slug }))]),
    );
  }

  private problem(message: string): void {
    this.problems.push({ ...this.place, message });
  }
}

function isTerms(value: unknown): value is readonly TermName[] {
  return (
    Array.isArray(value) &&
    value.every((one) => isObject(one) && typeof one.name === 'string' && typeof one.slug === 'string')
  );
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One line of a file: an object with a kind, or why it is none. */
type ParsedLine = { readonly line: number } & (
  { readonly kind: string; readonly body: Readonly<Record<string, unknown>> } | { readonly message: string }
);

/** A record has 1,048,576 characters at most, and each of them may be escaped by twelve (`\ud83d\ude00`). */
const MAX_LENGTH = 32 * 1024 * 1024;

/**
 * The lines of a file, one after the other, without empty ones.
 *
 * @throws {UnreadableFileError}
 */
async function* linesOf(path: string): AsyncGenerator<ParsedLine> {
  let line = 0;
  for await (const text of texts(path)) {
    line += 1;
    if (text.trim() !== '') yield parsed(text, line);
  }
}

/** By line feeds only: others end a line at U+2028 too, which JSON may have in its texts. */
async function* texts(path: string): AsyncGenerator<string> {
  let pieces: string[] = [];
  let length = 0;
  for await (const piece of fileText(path)) {
    let start = 0;
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', start)) {
      yield pieces.join('') + piece.slice(start, end);
      pieces = [];
      length = 0;
      start = end + 1;
    }
    pieces.push(piece.slice(start));
    length += piece.length - start;
    if (length > MAX_LENGTH) throw new UnreadableFileError('has a line that is too long.');
  }
  if (length > 0) yield pieces.join('');
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
