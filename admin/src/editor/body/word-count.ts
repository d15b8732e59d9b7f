/** Words that people read in a minute. */
const SPEED = 230;

const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;

/** A text by its words. */
export function wordsIn(text: string): number {
  let found = 0;
  // Not by all of them at once, which would be a hundred thousand strings of a long text.
  for (WORD.lastIndex = 0; WORD.exec(text);) found += 1;
  return found;
}

/** Minutes that a text takes to be read, and one at least. */
export function minutesFor(words: number): number {
  return Math.max(1, Math.round(words / SPEED));
}
