/** So many ids share a number of the set, and a row of the statement that reads it. */
export const IDS_PER_WORD = 32;

/** One word of a set as a database returns it. */
export interface IdWord {
  /** Which one: ids divided by {@link IDS_PER_WORD}. */
  readonly word: number | string;
  /** A bit for each id that is in it. */
  readonly bits: number | string;
}

/** Words of a page: 8,192 ids in a kilobyte. */
const WORDS_PER_PAGE = 256;
/** Of a page in the map, about. */
const ENTRY_BYTES = 64;

/** A set of ids that takes a bit for each id near one that is in it: how large ids are makes no difference. */
export class IdSet {
  private readonly pages = new Map<number, Uint32Array>();
  private count = 0;

  constructor(rows: readonly IdWord[] = []) {
    for (const row of rows) {
      const word = Number(row.word);
      const bits = Number(row.bits);
      if (bits === 0) continue;
      this.pageOf(word)[word % WORDS_PER_PAGE] = bits;
      this.count += bitsOf(bits);
    }
  }

  /** How many ids are in it. */
  get size(): number {
    return this.count;
  }

  get sizeBytes(): number {
    return this.pages.size * (WORDS_PER_PAGE * Uint32Array.BYTES_PER_ELEMENT + ENTRY_BYTES);
  }

  set(id: number, isIn: boolean): void {
    const word = Math.floor(id / IDS_PER_WORD);
    const bit = (1 << (id % IDS_PER_WORD)) >>> 0;
    const before = this.pages.get(Math.floor(word / WORDS_PER_PAGE))?.[word % WORDS_PER_PAGE] ?? 0;
    const wasIn = (before & bit) !== 0;
    if (wasIn === isIn) return;
    this.pageOf(word)[word % WORDS_PER_PAGE] = before ^ bit;
    this.count += isIn ? 1 : -1;
  }

  private pageOf(word: number): Uint32Array {
    const number = Math.floor(word / WORDS_PER_PAGE);
    const known = this.pages.get(number);
    if (known) return known;
    const page = new Uint32Array(WORDS_PER_PAGE);
    this.pages.set(number, page);
    return page;
  }
}

function bitsOf(word: number): number {
  let bits = 0;
  for (let rest = word; rest !== 0; rest = (rest & (rest - 1)) >>> 0) bits += 1;
  return bits;
}
