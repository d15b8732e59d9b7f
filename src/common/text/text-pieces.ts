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
