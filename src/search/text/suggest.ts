/** A word of the index, and in how many places it stands. */
export interface KnownWord {
  readonly term: string;
  readonly n: number;
}

interface Found extends KnownWord {
  readonly distance: number;
}

/**
 * The known word that a mistyped one was probably meant to be: one mistake in four letters or more, two in eight or
 * more. Of several equally near, the one that is more frequent, then the first of the alphabet.
 */
export function nearestWord(word: string, candidates: Iterable<KnownWord>): string | null {
  const allowed = allowedMistakes(word);
  let best: Found = { term: '', n: 0, distance: allowed };
  for (const { term, n } of candidates) {
    if (term === word || term.includes('_')) continue;
    const found = { term, n, distance: mistakes(word, term, best.distance) };
    if (isBetter(found, best)) best = found;
  }
  return best.term || null;
}

function allowedMistakes(word: string): number {
  if (word.length < 4) return 0;
  return word.length < 8 ? 1 : 2;
}

function isBetter(a: Found, b: Found): boolean {
  if (a.distance === Infinity) return false;
  if (a.distance !== b.distance) return a.distance < b.distance;
  return a.n === b.n ? a.term < b.term : a.n > b.n;
}

/** Letters to add, drop, change or swap with their neighbour (Damerau), or `Infinity` where there are more than `most`. */
function mistakes(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = nextRow({ a, b, i }, last, beforeLast);
    if (Math.min(...row) > most) return Infinity;
    [beforeLast, last] = [last, row];
  }
  return within(last[b.length], most);
}

function nextRow({ a, b, i }: { a: string; b: string; i: number }, last: number[], beforeLast: number[]): number[] {
  const row = [i];
  for (let j = 1; j <= b.length; j++) {
    const changed = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
    const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const swapped = isSwap ? at(beforeLast, j - 2) + 1 : Infinity;
    row.push(Math.min(changed, swapped, at(last, j) + 1, at(row, j - 1) + 1));
  }
  return row;
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}

function within(distance: number | undefined, most: number): number {
  return distance === undefined || distance > most ? Infinity : distance;
}
