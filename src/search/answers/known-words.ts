import { Injectable } from '@nestjs/common';
import { ownTurn } from '../../common/concurrency/own-turn.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { Reads } from '../../database/statements/reads.js';
import { execute, LAST_CODE_POINT } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';

/** Words that are worth a suggestion; numbers and what stands for symbols are none. */
const WORD = /^\p{L}{4,40}$/u;
/** No word has fewer UTF-16 units, and half of what a text is made of has. */
const MIN_LENGTH = 4;
const MAX_REMEMBERED = 100_000;
const MAX_NEW = 20_000;
const WORDS_PER_INSERT = 500;
const MAX_CANDIDATES = 5_000;
const LONG = 8;
/** Characters of a text that are looked through in one turn of the event loop: a few milliseconds. */
const PER_TURN = 131_072;

/**
 * The words of the index, for those who have mistyped one. Kept apart from the records and a little later than they
 * are: a unit that writes a record must not wait for another one that has the same new word. Words that are in no
 * record any more stay, so a word is suggested only after a search for it has found something.
 */
@Injectable()
export class KnownWords {
  /** Words that are kept already, or soon will be: most writes have nothing to add. */
  private readonly met = new Set<string>();
  private readonly marks = new WordFilter();
  private fresh = new Set<string>();
  /** Words that are just being written down. */
  private writing: readonly string[] = [];

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
  ) {}

  /** Remembers the words of texts, which are terms parted by blanks, until {@link keep}. */
  async note(texts: readonly string[]): Promise<void> {
    const noteWord = this.noteWord.bind(this);
    for (const text of texts) {
      for (let start = 0; start < text.length && this.fresh.size < MAX_NEW;) {
        if (start > 0) await ownTurn();
        const end = blankAt(text, start + PER_TURN);
        this.marks.mark(text.slice(start, end), MIN_LENGTH, noteWord);
        start = end + 1;
      }
    }
  }

  /** Writes down the words that are new. */
  async keep(): Promise<void> {
    if (this.fresh.size === 0) return;
    // In one order for all, so that two processes cannot wait for each other.
    const words = [...this.fresh].sort();
    this.fresh = new Set();
    this.writing = words;
    try {
      for (let start = 0; start < words.length; start += WORDS_PER_INSERT) {
        await this.insert(words.slice(start, start + WORDS_PER_INSERT));
      }
    } catch (error) {
      for (const word of words) this.met.delete(word);
      this.marks.clear();
      throw error;
    } finally {
      this.writing = [];
    }
  }

  /**
   * Words that may be meant by a mistyped one. With one mistake either the first or the second half is right, unless
   * the two letters in the middle are swapped; with two, in long words, mostly the first or the last third.
   */
  async near(word: string): Promise<string[]> {
    const letters = Array.from(word);
    const half = Math.floor(letters.length / 2);
    const swapped = [...letters.slice(0, half - 1), letters[half], letters[half - 1], ...letters.slice(half + 1)].join(
      '',
    );
    const one = await this.alike(letters, [half, letters.length - half], 1);
    const third = Math.floor(letters.length / 3);
    const two = letters.length < LONG ? [] : await this.alike(letters, [third, third], 2);
    return [...new Set([swapped, ...one, ...two, ...this.unwritten(letters.length)])];
  }

  /** Words of about a length that are not written down yet: a search finds them, but writes nothing itself. */
  private unwritten(length: number): string[] {
    return [...this.fresh, ...this.writing]
      .filter((word) => Math.abs(word.length - length) <= 2)
      .slice(0, MAX_CANDIDATES);
  }

  /** @param parts how many letters at the beginning, or else at the end, are right */
  private async alike(letters: string[], [head, tail]: readonly [number, number], mistakes: number): Promise<string[]> {
    const begin = letters.slice(0, head).join('');
    const end = letters
      .slice(letters.length - tail)
      .reverse()
      .join('');
    const sizes = [letters.length - mistakes, letters.length + mistakes];
    const rows = await Promise.all(
      [
        ['word', begin],
        ['reversed', end],
      ].map(([column = '', start = '']) =>
        this.reads.select<{ word: string }>(
          `SELECT word FROM search_words WHERE ${column} >= ? AND ${column} < ? AND size BETWEEN ? AND ? LIMIT ${MAX_CANDIDATES}`,
          [start, `${start}${LAST_CODE_POINT}`, ...sizes],
        ),
      ),
    );
    return rows.flat().map(({ word }) => word);
  }

  private noteWord(word: string): void {
    if (this.met.has(word) || !WORD.test(word)) return;
    if (this.met.size >= MAX_REMEMBERED) this.met.clear();
    this.met.add(word);
    this.fresh.add(word);
  }

  private async insert(words: readonly string[]): Promise<void> {
    await this.unitOfWork.run((manager) =>
      execute(
        manager,
        `${this.dialect.insertOrIgnore} INTO search_words (word, reversed, size)
         VALUES ${words.map(() => '(?, ?, ?)').join(', ')}`,
        words.flatMap((word) => {
          const letters = Array.from(word);
          return [word, letters.toReversed().join(''), letters.length];
        }),
      ),
    );
  }
}

/** The index of the first blank from an index on, or of the end. */
function blankAt(text: string, from: number): number {
  const at = from < text.length ? text.indexOf(' ', from) : -1;
  return at < 0 ? text.length : at;
}

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
