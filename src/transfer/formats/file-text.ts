import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';

/** A file that cannot be read as it is. The message says what to do, without the name of the file. */
export class UnreadableFileError extends Error {
  constructor(
    message: string,
    readonly line = 0,
  ) {
    super(message);
  }
}

const UTF_16_LITTLE = [0xff, 0xfe];
const UTF_16_BIG = [0xfe, 0xff];

/**
 * The text of a file in pieces: UTF-8, or UTF-16 with a byte-order mark. The mark is taken off.
 *
 * @throws {UnreadableFileError} in another encoding: a guess would quietly spoil every letter that is not English
 */
export async function* fileText(path: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let line = 1;
  for await (const chunk of bytesOf(path)) {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    const text = decoded(decoder, chunk, line);
    line += newlinesIn(text);
    if (text !== '') yield text;
  }
  if (decoder) decoded(decoder, undefined, line);
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: 64 * 1024 }) as AsyncIterable<Buffer>;
  } catch (error) {
    const { code } = error as { code?: string };
    throw new UnreadableFileError(code === 'EISDIR' ? 'is a folder.' : `cannot be read: ${String(code)}.`);
  }
}

/** {@link fileText} with line ends of one kind. */
export async function* textLines(path: string): AsyncGenerator<string, undefined> {
  let held = '';
  for await (const piece of fileText(path)) {
    const text = held + piece;
    // The other half of this line end may begin the next piece.
    held = text.endsWith('\r') ? '\r' : '';
    yield (held === '' ? text : text.slice(0, -1)).replaceAll(/\r\n?/g, '\n');
  }
  if (held !== '') yield '\n';
}

/** The whole text of a file that is known to be small. Where its first line ends without `\r`, one further on is part of the text. */
export async function wholeText(path: string): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of fileText(path)) pieces.push(piece);
  const text = pieces.join('');
  return /^[^\n]*\r/.test(text) ? text.replaceAll(/\r\n?/g, '\n') : text;
}

function encodingOf(start: Buffer): string {
  const isMarked = (mark: readonly number[]) => mark.every((byte, index) => start[index] === byte);
  if (isMarked(UTF_16_LITTLE)) return 'utf-16le';
  return isMarked(UTF_16_BIG) ? 'utf-16be' : 'utf-8';
}

function decoded(decoder: TextDecoder, chunk: Buffer | undefined, line: number): string {
  const text = attempt(decoder, chunk, line);
  const nul = text.indexOf('\u0000');
  if (nul === -1) return text;
  throw new UnreadableFileError(
    'has NUL characters in it, as UTF-16 without a byte-order mark has. Save it as UTF-8.',
    line + newlinesIn(text.slice(0, nul)),
  );
}

function attempt(decoder: TextDecoder, chunk: Buffer | undefined, line: number): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    const before = new TextDecoder(decoder.encoding).decode(chunk).split('\uFFFD', 1)[0] ?? '';
    throw new UnreadableFileError(
      'is neither UTF-8 nor UTF-16 with a byte-order mark. Convert it first, for example with: iconv -f ISO-8859-1 -t UTF-8',
      line + newlinesIn(before),
    );
  }
}

function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
