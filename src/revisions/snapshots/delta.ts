import { ownTurn } from '../../common/concurrency/own-turn.js';

/** Bytes that are looked up at once; a copied run shorter than this is not found. */
const BLOCK = 16;
const FACTOR = 0x01000193;
/** `FACTOR` to the power of `BLOCK`: what the oldest byte of a block weighs when the next one comes in. */
const OLDEST = Array.from({ length: BLOCK }).reduce<number>((power) => Math.imul(power, FACTOR), 1);

/** Bytes that are looked at in one turn of the event loop: some milliseconds. */
const PER_TURN = 131_072;

/** A run of bytes that stands in both texts. */
interface Run {
  readonly baseStart: number;
  readonly start: number;
  readonly end: number;
}

/**
 * What makes one text out of another one: runs to copy and bytes to insert. Needs linear time for every pair of texts.
 * zlib alone sees no further back than 32 KB, and a long text is changed in several places. Long texts are compared in
 * several turns of the event loop.
 *
 * @see RFC 3284 (VCDIFF), whose idea this is
 */
export async function deltaOf(base: Buffer, target: Buffer): Promise<Buffer> {
  const parts: Buffer[] = [];
  let written = 0;
  let expected = 0;
  for (const run of runsOf(base, target)) {
    if (run === null) {
      await ownTurn();
      continue;
    }
    const { baseStart, start, end } = run;
    parts.push(
      numbers([start - written]),
      target.subarray(written, start),
      numbers([zigzag(baseStart - expected), end - start]),
    );
    written = end;
    expected = baseStart + end - start;
  }
  parts.push(numbers([target.length - written]), target.subarray(written));
  return Buffer.concat(parts);
}

/**
 * The text that a delta makes out of the one that it was made for.
 *
 * @param length of that text: a damaged delta may say to copy far more
 * @throws {RangeError} the delta is damaged, or it was made for another text
 */
export function appliedDelta(base: Buffer, delta: Buffer, length: number): Buffer {
  const parts = new Parts(length);
  const reader = new NumberReader(delta);
  parts.add(delta, reader.skip(reader.number()));
  for (let expected = 0; !reader.isAtEnd();) {
    const start = expected + unzigzag(reader.number());
    expected = start + reader.number();
    parts.add(base, { start, end: expected });
    parts.add(delta, reader.skip(reader.number()));
  }
  return parts.joined();
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Pieces of texts that make one of a known length. */
class Parts {
  private readonly all: Buffer[] = [];
  private missing: number;

  constructor(length: number) {
    this.missing = length;
  }

  add(from: Buffer, { start, end }: Span): void {
    this.missing -= end - start;
    // Also where a number is none: every comparison with it is false.
    const isInside = start >= 0 && end >= start && end <= from.length && this.missing >= 0;
    if (!isInside) throw new RangeError('The delta does not fit its text.');
    this.all.push(from.subarray(start, end));
  }

  joined(): Buffer {
    if (this.missing > 0) throw new RangeError('The delta makes a text that is too short.');
    return Buffer.concat(this.all);
  }
}

/** Yields `null` where a turn is over. */
function* runsOf(base: Buffer, target: Buffer): Generator<Run | null> {
  const blocks = new Blocks(base);
  for (let start = 0; start < base.length; start += PER_TURN) {
    if (start > 0) yield null;
    blocks.add(start, start + PER_TURN);
  }
  let done = 0;
  let turnEnd = PER_TURN;
  let hash = blockHash(target, 0);
  for (let at = 0; at + BLOCK <= target.length;) {
    if (at >= turnEnd) {
      yield null;
      turnEnd = at + PER_TURN;
    }
    const found = blocks.find(hash, target, at);
    if (found === null) {
      hash = (Math.imul(hash, FACTOR) + byte(target, at + BLOCK) - Math.imul(OLDEST, byte(target, at))) | 0;
      at += 1;
      continue;
    }
    const run = extended({ baseStart: found, start: at, end: at + BLOCK }, base, target, done);
    yield run;
    done = run.end;
    at = run.end;
    hash = blockHash(target, at);
  }
}

/** The same run, as far as both texts agree before and behind it. What has been written already is not written again. */
function extended({ baseStart, start, end }: Run, base: Buffer, target: Buffer, done: number): Run {
  let before = 0;
  while (start - before > done && baseStart > before && base[baseStart - before - 1] === target[start - before - 1]) {
    before += 1;
  }
  let to = end;
  let baseEnd = baseStart + end - start;
  while (to < target.length && baseEnd < base.length && base[baseEnd] === target[to]) {
    to += 1;
    baseEnd += 1;
  }
  return { baseStart: baseStart - before, start: start - before, end: to };
}

/** Where each block of a text stands. Of blocks that look the same the first one is kept, so that a look-up is one step. */
class Blocks {
  private readonly mask: number;
  /** Positions plus one; 0: none. */
  private readonly slots: Int32Array;

  constructor(private readonly text: Buffer) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, text.length / BLOCK) * 4));
    this.mask = size - 1;
    this.slots = new Int32Array(size);
  }

  /** @param start where a block begins */
  add(start: number, end: number): void {
    for (let at = start; at < end && at + BLOCK <= this.text.length; at += BLOCK) {
      const slot = this.slotOf(blockHash(this.text, at));
      if (this.slots[slot] === 0) this.slots[slot] = at + 1;
    }
  }

  find(hash: number, target: Buffer, at: number): number | null {
    const found = (this.slots[this.slotOf(hash)] ?? 0) - 1;
    if (found < 0) return null;
    for (let i = 0; i < BLOCK; i += 1) if (this.text[found + i] !== target[at + i]) return null;
    return found;
  }

  /** The low bits of the hash know only the last bytes of a block, so the high ones are mixed in. */
  private slotOf(hash: number): number {
    return (hash ^ (hash >>> 15)) & this.mask;
  }
}

function blockHash(text: Buffer, start: number): number {
  let hash = 0;
  for (let at = start; at < start + BLOCK; at += 1) hash = (Math.imul(hash, FACTOR) + byte(text, at)) | 0;
  return hash;
}

function byte(text: Buffer, at: number): number {
  return text[at] ?? 0;
}

/** `0, -1, 1, -2` -> `0, 1, 2, 3` */
function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** Whole numbers, seven bits to a byte, the lowest first. */
function numbers(values: readonly number[]): Buffer {
  const bytes: number[] = [];
  for (const value of values) {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return Buffer.from(bytes);
}

class NumberReader {
  private at = 0;

  constructor(private readonly text: Buffer) {}

  isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  number(): number {
    let value = 0;
    for (let weight = 1; ; weight *= 128) {
      const next = byte(this.text, this.at);
      this.at += 1;
      value += (next % 128) * weight;
      if (next < 128) return value;
    }
  }

  skip(length: number): Span {
    this.at += length;
    return { start: this.at - length, end: this.at };
  }
}
