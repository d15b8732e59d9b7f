import { createHash } from 'node:crypto';
import { ownTurn } from '../concurrency/own-turn.js';

/** Characters that are made at once. */
const PIECE_LENGTH = 262_144;

/** The same text in pieces of some hundred kilobytes, or of one longer part; each is made in a turn of its own. */
export async function* textPieces(parts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const part of parts) {
    text += part;
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
    await ownTurn();
  }
  if (text !== '') yield text;
}

/** The same text in bytes, with the validator that `contentTag` makes of them. */
export async function taggedBytes(parts: Iterable<string>): Promise<{ readonly bytes: Buffer; readonly etag: string }> {
  const hash = createHash('sha1');
  const pieces: Buffer[] = [];
  for await (const piece of textPieces(parts)) {
    const bytes = Buffer.from(piece);
    hash.update(bytes);
    pieces.push(bytes);
  }
  return { bytes: await joined(pieces), etag: `"${hash.digest('base64url')}"` };
}

/** The pieces in one buffer, copied one by one: the memory of a long text is taken page by page as it is written. */
async function joined(pieces: readonly Buffer[]): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((length, piece) => length + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    await ownTurn();
    end += piece.copy(whole, end);
  }
  return whole;
}

/** A list as JSON, item by item. */
export function* arrayText<Item>(items: Iterable<Item>, textOf: (item: Item) => Iterable<string>): Generator<string> {
  let before = '[';
  for (const item of items) {
    yield before;
    yield* textOf(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
