import { type Fault, MAX_FAULTS } from '../../errors/domain-error.js';

/** Values of a body in all, whatever they are in. */
export const MAX_VALUES = 100_000;
/** Different keys, or orders of keys, of all objects of a body. V8 makes a class for each: 1 MiB of them takes 70 ms. */
export const MAX_SHAPES = 10_000;
/** Fewer bytes can hold neither so many values nor so many shapes: `"a":0,` is the shortest member. */
const ALWAYS_SMALL = 6 * MAX_SHAPES;

const [QUOTE, COMMA, COLON, OPEN_LIST, OPEN_OBJECT, BACKSLASH] = Buffer.from('",:[{\\');
/** The kind of a byte between texts: part of a number, `true`, `false` or `null`, unless it stands here. */
const WORD = 0;
const SPACE = 1;
const STRUCTURE = 2;
const kinds = new Uint8Array(256).fill(SPACE, 0, 0x21);
for (const byte of Buffer.from('",:[]{}')) kinds[byte] = STRUCTURE;

const PRIME = 16_777_619;
/** The beginning of hashes. Not known to those who would like their keys to collide. */
const SEED = Math.floor(Math.random() * 2 ** 31);

/** Parts of a JSON text that would keep the process busy for long. Looks at its bytes, which takes 2 to 4 ms for 1 MiB. */
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
  /** The beginning and the end of the text that was read last: a key, where a colon follows. */
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

const MAX_DEPTH = 32;
/** Longer names of places are cut: each fault repeats its own. */
const MAX_PLACE_LENGTH = 200;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Values that no field of any record may hold, wherever it stands in a body: as many places as an answer names. */
export function unsafeValues(value: unknown): Fault[] {
  const walk = new Walk();
  walk.value(value, 1);
  return walk.faults;
}

/** One pass over all values. The name of a place is put together for a fault only: a body may hold 100,000 of them. */
class Walk {
  readonly faults: Fault[] = [];
  /** Keys from the body to the value that is looked at. */
  private readonly place: (string | number)[] = [];

  value(value: unknown, depth: number): void {
    if (typeof value === 'string') this.text(value);
    else if (typeof value === 'number') this.number(value);
    else if (typeof value !== 'object' || value === null) return;
    else if (depth > MAX_DEPTH) this.fault('depth', () => `The body is nested deeper than ${MAX_DEPTH} levels.`);
    else if (Array.isArray(value)) this.list(value, depth);
    else this.object(value as Readonly<Record<string, unknown>>, depth);
  }

  private list(list: readonly unknown[], depth: number): void {
    for (let index = 0; index < list.length && this.faults.length < MAX_FAULTS; index += 1) {
      this.place.push(index);
      this.value(list[index], depth + 1);
      this.place.pop();
    }
  }

  private object(object: Readonly<Record<string, unknown>>, depth: number): void {
    for (const key of Object.keys(object)) {
      if (this.faults.length >= MAX_FAULTS) return;
      this.place.push(key);
      if (FORBIDDEN_KEYS.has(key)) this.fault('forbidden_key', () => `The key "${key}" is not allowed.`);
      else {
        this.text(key);
        this.value(object[key], depth + 1);
      }
      this.place.pop();
    }
  }

  private text(text: string): void {
    if (text.includes('\u0000')) this.fault('nul', (name) => `${name || 'The body'} must not contain NUL characters.`);
    else if (!text.isWellFormed())
      this.fault('unicode', (name) => `${name || 'The body'} holds half of a surrogate pair.`);
  }

  private number(number: number): void {
    // As infinity is read what cannot be kept: `1e400`, or more digits than fit (`exactJson`).
    if (Number.isFinite(number)) return;
    this.fault(
      'number',
      (name) => `${name} cannot be kept exactly: 15 to 17 digits of a number fit. Send fewer, or a text.`,
    );
  }

  private fault(rule: string, messageOf: (field: string) => string): void {
    const field = this.place.map(String).reduce(placeOf, '');
    this.faults.push({ field, rule, message: messageOf(field) });
  }
}

function placeOf(parent: string, key: string): string {
  const place = parent === '' ? key : `${parent}.${key}`;
  return place.length <= MAX_PLACE_LENGTH ? place : `${place.slice(0, MAX_PLACE_LENGTH).toWellFormed()}…`;
}
