import { exactJson } from '../../../common/text/exact-numbers.js';
import { fileText, UnreadableFileError } from '../file-text.js';

/** One line of a file: an object with a kind, or why it is none. */
export type ParsedLine = { readonly line: number } & (
  { readonly kind: string; readonly body: Readonly<Record<string, unknown>> } | { readonly message: string }
);

/** A record has 1 MiB at most, but what is escaped grows. */
const MAX_LENGTH = 32 * 1024 * 1024;

/**
 * The lines of a file, one after the other, without empty ones.
 *
 * @throws {UnreadableFileError}
 */
export async function* linesOf(path: string): AsyncGenerator<ParsedLine> {
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
