import { fileText, UnreadableFileError } from '../formats/file-text.js';
import { END, HEADER } from './lossless-format.js';

/** One line of a file: a kind and its data, or why it is neither. */
export type ParsedLine =
  | { readonly line: number; readonly kind: string; readonly body: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly message: string; readonly isUnreadable?: true };

/** A record has 1 MiB at most, but what is escaped grows. */
const MAX_LENGTH = 32 * 1024 * 1024;

/**
 * Whether the file has its first and its last line, so that nothing was cut off. It reads all of the file: where the last
 * line begins, its encoding decides.
 */
export async function isWhole(path: string): Promise<boolean> {
  let [first, last] = ['', ''];
  try {
    for await (const text of texts(path)) {
      if (text.trim() === '') continue;
      first ||= text;
      last = text;
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) return false;
    throw error;
  }
  return kindOf(first) === HEADER.kind && kindOf(last) === END;
}

/** The lines of a file, one after the other. What cannot be read as text ends it. */
export async function* linesOf(path: string): AsyncGenerator<ParsedLine> {
  let line = 0;
  try {
    for await (const text of texts(path)) {
      line += 1;
      if (text.trim() !== '') yield parsed(text, line);
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    yield { line: Math.max(error.line, line), message: `The file ${error.message}`, isUnreadable: true };
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

function kindOf(text: string): string | null {
  const line = parsed(text, 0);
  return 'kind' in line ? line.kind : null;
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
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
