/** So many ids share a number of the set, and a row of the statement that reads it. */
export const IDS_PER_WORD = 32;

/** One word of a set as a database tells it. */
export interface IdWord {
  /** Which one: ids divided by {@link IDS_PER_WORD}. */
  readonly word: number | string;
  /** A bit for each id that is in it. */
  readonly bits: number | string;
}

/** A set of ids that takes a bit for each id up to the highest one. */
export class IdSet {
  private words: Uint32Array;
  private count = 0;

  constructor(rows: readonly IdWord[] = []) {
    const highest = rows.reduce((most, { word }) => Math.max(most, Number(word)), -1);
    this.words = new Uint32Array(highest + 1);
    for (const { word, bits } of rows) {
      this.words[Number(word)] = Number(bits);
      this.count += bitsOf(Number(bits));
    }
  }

  /** How many ids are in it. */
  get size(): number {
    return this.count;
  }

  get sizeBytes(): number {
    return this.words.byteLength;
  }

  set(id: number, isIn: boolean): void {
    const word = Math.floor(id / IDS_PER_WORD);
    const bit = (1 << (id % IDS_PER_WORD)) >>> 0;
    if (isIn && word >= this.words.length) this.grow(word);
    const before = this.words[word] ?? 0;
    const wasIn = (before & bit) !== 0;
    if (wasIn === isIn) return;
    this.words[word] = before ^ bit;
    this.count += isIn ? 1 : -1;
  }

  /** By more than is needed, since the next ids are higher still. */
  private grow(word: number): void {
    const larger = new Uint32Array(Math.ceil((word + 1) * 1.125));
    larger.set(this.words);
    this.words = larger;
  }
}

function bitsOf(word: number): number {
  let bits = 0;
  for (let rest = word; rest !== 0; rest = (rest & (rest - 1)) >>> 0) bits += 1;
  return bits;
}
