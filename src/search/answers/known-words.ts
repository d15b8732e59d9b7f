import { Injectable } from '@nestjs/common';
import { Dialect } from '../../database/dialect/dialect.js';
import { Reads } from '../../database/statements/reads.js';
import { execute, LAST_CODE_POINT } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import type { SearchDocument } from '../search-index.js';

/** Words that are worth a suggestion; numbers and what stands for symbols are none. */
const WORD = /^\p{L}{4,40}$/u;
const MAX_REMEMBERED = 100_000;
const MAX_NEW = 20_000;
const WORDS_PER_INSERT = 500;
const MAX_CANDIDATES = 5_000;
const LONG = 8;

/**
 * The words of the index, for those who have mistyped one. Kept apart from the records and a little later than they
 * are: a unit that writes a record must not wait for another one that has the same new word. Words that are in no
 * record any more stay, so a word is suggested only after a search for it has found something.
 */
@Injectable()
export class KnownWords {
  /** Words that are kept already, or soon will be: most writes have nothing to add. */
  private readonly met = new Set<string>();
  /** Words that are not written down yet. */
  private readonly fresh = new Set<string>();

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
  ) {}

  /** Remembers the words of documents, which are terms parted by blanks, until {@link keep}. */
  note(documents: readonly SearchDocument[]): void {
    for (const { title, terms, body } of documents) {
      for (const word of `${title} ${terms} ${body}`.split(' ')) {
        if (this.fresh.size >= MAX_NEW) return;
        if (this.met.has(word) || !WORD.test(word)) continue;
        if (this.met.size >= MAX_REMEMBERED) this.met.clear();
        this.met.add(word);
        this.fresh.add(word);
      }
    }
  }

  /** Writes down the words that are new. */
  async keep(): Promise<void> {
    // In one order for all, so that two processes cannot wait for each other.
    const words = [...this.fresh].sort();
    for (let start = 0; start < words.length; start += WORDS_PER_INSERT) {
      const some = words.slice(start, start + WORDS_PER_INSERT);
      await this.insert(some);
      for (const word of some) this.fresh.delete(word);
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
    return [...this.fresh].filter((word) => Math.abs(word.length - length) <= 2).slice(0, MAX_CANDIDATES);
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
