import type { Fault } from '../../errors/domain-error.js';

/** Values of a body in all, whatever they are in. */
export const MAX_VALUES = 100_000;
/**
 * Different keys, or orders of keys, of all objects of a body. V8 makes a class for each of them, at more than a
 * microsecond, and keeps it: `JSON.parse` of 1 MiB of such objects takes 70 ms and more.
 */
export const MAX_SHAPES = 10_000;
/** Fewer bytes can hold neither so many values nor so many shapes: `"a":0,` is the shortest member. */
const ALWAYS_SMALL = 6 * MAX_SHAPES;

const [QUOTE, COMMA, COLON, OPEN_LIST, OPEN_OBJECT, BACKSLASH] = Buffer.from('",:[{\\');
/** What a byte between texts is: of a number, `true`, `false` or `null`, unless it stands here. */
const WORD = 0;
const SPACE = 1;
const STRUCTURE = 2;
const kinds = new Uint8Array(256).fill(SPACE, 0, 0x21);
for (const byte of Buffer.from('",:[]{}')) kinds[byte] = STRUCTURE;

const PRIME = 16_777_619;
/** Where hashes begin. Not known to those who would like their keys to collide. */
const SEED = Math.floor(Math.random() * 2 ** 31);

/** What of a JSON text would keep the process busy for long. Looks at its bytes, which takes 2 to 4 ms for 1 MiB. */
export function extentFaults(bytes: Uint8Array): Fault[] {
  if (bytes.length < ALWAYS_SMALL) return [];
  const { values, shapes } = new Extent(bytes).measure();
  if (values > MAX_VALUES) return [fault('values', `The body holds more than ${MAX_VALUES} values.`)];
  if (shapes.size > MAX_SHAPES) {
    return [fault('keys', `The objects of the body have more than ${MAX_SHAPES} different keys, or orders of keys.`)];
  }
  return [];
}

function fault(rule: string, message: string): Fault {
  return { field: '', rule, message };
}

/** Counts up to the first limit. A text that is not JSON is counted somehow: the parser says what is wrong with it. */
class Extent {
  values = 0;
  /** Hashes of the keys of an object up to one of them. One pair in 2^32 has the same hash: exact enough for a limit. */
  readonly shapes = new Set<number>();
  /** The keys so far of each object that is open. */
  private readonly open: number[] = [];
  /** Where the text began and ended that was read last: a key, where a colon follows. */
  private text = { start: 0, end: 0 };

  constructor(private readonly bytes: Uint8Array) {}

  measure(): this {
    const { bytes } = this;
    let before: number | undefined = SPACE;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      const kind = kinds[byte];
      if (kind === WORD && before !== WORD) this.values += 1;
      before = kind;
      if (kind !== STRUCTURE) continue;
      at = this.structure(byte, at);
      if (this.isPastLimit()) break;
    }
    return this;
  }

  private isPastLimit(): boolean {
    return this.values > MAX_VALUES || this.shapes.size > MAX_SHAPES;
  }

  /** @returns where it ends */
  private structure(byte: number, at: number): number {
    if (byte === QUOTE) return this.readText(at);
    if (byte === COLON) this.member();
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      this.values += 1;
      this.open.push(SEED);
    } else if (byte !== COMMA) this.open.pop();
    return at;
  }

  private readText(at: number): number {
    this.values += 1;
    this.text = { start: at + 1, end: endOfText(this.bytes, at + 1) };
    return this.text.end;
  }

  private member(): void {
    // Its key was taken for a value.
    this.values -= 1;
    const shape = hashed(this.bytes, this.text, this.open.pop() ?? SEED);
    this.open.push(shape);
    this.shapes.add(shape);
  }
}

/** The index of the quotation mark behind a text. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  for (; at < bytes.length && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1;
  return at;
}

/** FNV-1a of some bytes, behind what was hashed before, and of their number: `"ab":"c"` is not `"a":"bc"`. */
function hashed(bytes: Uint8Array, { start, end }: { start: number; end: number }, before: number): number {
  let hash = before ^ (end - start);
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), PRIME);
  return hash;
}
