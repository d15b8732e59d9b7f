import { textPieces } from '../../text/text-pieces.js';

/** Up to this weight, about its length, the text of a value is made in one go. */
const SHORT = 16_384;
const VALUE_WEIGHT = 8;

/** The same bytes that `JSON.stringify` makes of an answer, piece by piece: each in a turn of the event loop of its own. */
export async function longJson(value: object): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const text of textPieces(parts(value))) pieces.push(Buffer.from(text));
  return Buffer.concat(pieces);
}

function parts(value: unknown): Iterable<string> {
  if (!isObject(value) || hasOwnJson(value) || weigh(value) <= SHORT) return [JSON.stringify(value)];
  return Array.isArray(value) ? listParts(value) : objectParts(value);
}

function* objectParts(value: Entries): Generator<string> {
  let before = '{';
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* parts(item);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** Short items are made into text together. */
function* listParts(items: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const some of portionsOf(items)) {
    yield before;
    if (some.length === 1) yield* parts(some[0] ?? null);
    else yield JSON.stringify(some).slice(1, -1);
    before = ',';
  }
  yield ']';
}

function* portionsOf(items: readonly unknown[]): Generator<readonly unknown[]> {
  let start = 0;
  let weight = 0;
  for (const [at, item] of items.entries()) {
    const own = weigh(item);
    if (at > start && weight + own > SHORT) {
      yield items.slice(start, at);
      [start, weight] = [at, 0];
    }
    weight += own;
  }
  yield items.slice(start);
}

type Entries = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null;
}

function hasOwnJson(value: Entries): boolean {
  return typeof value.toJSON === 'function';
}

/** About how long the text of a value is. Of one that is not short only that it is not. */
function weigh(value: unknown): number {
  if (typeof value === 'string') return VALUE_WEIGHT + value.length;
  if (!isObject(value)) return VALUE_WEIGHT;
  let weight = VALUE_WEIGHT;
  for (const item of Object.values(value)) {
    weight += VALUE_WEIGHT + weigh(item);
    if (weight > SHORT) break;
  }
  return weight;
}
