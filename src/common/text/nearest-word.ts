/** A word that is known, and how often it is used. */
export interface KnownWord {
  readonly term: string;
  readonly n: number;
}

interface Found extends KnownWord {
  readonly distance: number;
}

/** No name that is known is as long. */
const MAX_NAME = 100;

/** The known name that another was probably meant to be: the one of the same letters and digits, or else the nearest. */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_NAME) return null;
  const letters = lettersOf(name);
  const same = known.find((one) => lettersOf(one) === letters);
  return (
    same ??
    nearestWord(
      name,
      known.map((term) => ({ term, n: 1 })),
    )
  );
}

/** `seoTitle` and `seo_title` have the same. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/**
 * The known word that a mistyped one probably means: one mistake from four letters on, two from eight on.
 * Of several equally near, the more frequent one, then the first of the alphabet.
 */
export function nearestWord(word: string, candidates: Iterable<KnownWord>): string | null {
  const allowed = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  let best: Found = { term: '', n: 0, distance: allowed };
  for (const { term, n } of candidates) {
    if (term === word) continue;
    const found = { term, n, distance: distanceOf(word, term, best.distance) };
    if (isBetter(found, best)) best = found;
  }
  return best.term || null;
}

function isBetter(a: Found, b: Found): boolean {
  if (a.distance === Infinity) return false;
  if (a.distance !== b.distance) return a.distance < b.distance;
  return a.n === b.n ? a.term < b.term : a.n > b.n;
}

/** A common beginning of two words changes nothing, and most candidates share it. */
function distanceOf(a: string, b: string, most: number): number {
  let same = 0;
  while (same < a.length && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  return mistakes(a.slice(same), b.slice(same), most);
}

/** Letters to add, drop, change or swap with their neighbour (Damerau), or `Infinity` where there are more than `most`. */
function mistakes(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = nextRow({ a, b, i, most }, last, beforeLast);
    if (row.every((distance) => distance > most)) return Infinity;
    [beforeLast, last] = [last, row];
  }
  const distance = at(last, b.length);
  return distance > most ? Infinity : distance;
}

interface Step {
  readonly a: string;
  readonly b: string;
  readonly i: number;
  readonly most: number;
}

/** Only cells as near to the diagonal as mistakes are allowed can be part of the answer. */
function nextRow({ a, b, i, most }: Step, last: number[], beforeLast: number[]): number[] {
  const row = new Array<number>(b.length + 1).fill(Infinity);
  row[0] = i;
  const end = Math.min(b.length, i + most);
  for (let j = Math.max(1, i - most); j <= end; j++) {
    const changed = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
    const isSwap = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const swapped = isSwap ? at(beforeLast, j - 2) + 1 : Infinity;
    row[j] = Math.min(changed, swapped, at(last, j) + 1, at(row, j - 1) + 1);
  }
  return row;
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
