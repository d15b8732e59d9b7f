import { diffArrays, type ChangeObject } from 'diff';

/** A stretch of one text that is another one in a second text: items from `from` before `to` became those from `start` before `end`. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

/** The beginnings of two stretches of items. */
type Pair = readonly [before: number, after: number];

/** The search for the fewest changes takes the square of their number: with more than this, a stretch is replaced whole. */
const MOST_CHANGES = 100;

/** Scripts without spaces between words: each character stands for itself. */
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]`;
const WORDS = new RegExp(
  String.raw`${UNSPACED}\p{M}*|(?:(?!${UNSPACED})[\p{L}\p{N}_])[\p{M}]*(?:(?!${UNSPACED})[\p{L}\p{N}\p{M}_])*|[^\S\r\n]+|\r\n|[\r\n]|[^\s\p{L}\p{N}_]+`,
  'gu',
);

/** The lines of a text, each with its end: joined, they are the text. */
export function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|[\r\n])|[^\r\n]+/g) ?? [];
}

/** The words, spaces, line ends and signs of a text: joined, they are the text. */
export function wordsOf(text: string): string[] {
  return text.match(WORDS) ?? [];
}

/** Tells whether anything but spaces stands between two places. */
export function areApart(items: readonly string[], from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (/[^\p{Zs}\t]/u.test(items[at] ?? '')) return true;
  return false;
}

/** Differences between two lists, in order. Takes little more than linear time, so it is not always the shortest list. */
export function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  let head = 0;
  const shorter = Math.min(before.length, after.length);
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const ends: Pair = [before.length - tail, after.length - tail];

  const hunks: Hunk[] = [];
  let [from, start] = [head, head];
  for (const [to, end] of [...anchors(before, after, [head, head], ends), ends]) {
    hunks.push(...between(before.slice(from, to), after.slice(start, end), [from, start]));
    [from, start] = [to + 1, end + 1];
  }
  return hunks;
}

/** The fewest changes of a stretch that begins at a place. */
function between(before: string[], after: string[], [from, start]: Pair): Hunk[] {
  const isPlain = before.length === 0 || after.length === 0;
  const changes = isPlain ? undefined : diffArrays(before, after, { maxEditLength: MOST_CHANGES });
  const whole = { from, to: from + before.length, start, end: start + after.length };
  return (changes ? hunksIn(changes, [from, start]) : [whole]).filter(isChange);
}

function hunksIn(changes: readonly ChangeObject<string[]>[], [from, start]: Pair): Hunk[] {
  const hunks: Hunk[] = [];
  let hunk: Hunk = { from, to: from, start, end: start };
  for (const { added, removed, count } of changes) {
    if (removed) hunk = { ...hunk, to: hunk.to + count };
    else if (added) hunk = { ...hunk, end: hunk.end + count };
    else {
      hunks.push(hunk);
      const [to, end] = [hunk.to + count, hunk.end + count];
      hunk = { from: to, to, start: end, end };
    }
  }
  return [...hunks, hunk];
}

function isChange({ from, to, start, end }: Hunk): boolean {
  return to > from || end > start;
}

/** Items that both lists have once, the longest row of them that is in the same order in both. */
function anchors(before: readonly string[], after: readonly string[], starts: Pair, ends: Pair): Pair[] {
  const left = placesOf(before, starts[0], ends[0]);
  const right = placesOf(after, starts[1], ends[1]);
  const pairs: Pair[] = [];
  for (const [item, at] of left) {
    const other = right.get(item);
    if (at !== null && other !== null && other !== undefined) pairs.push([at, other]);
  }
  return longestRising(pairs);
}

/** The place of each item, in order of their first places; `null`: it is in more than one place. */
function placesOf(items: readonly string[], from: number, to: number): Map<string, number | null> {
  const places = new Map<string, number | null>();
  for (let at = from; at < to; at += 1) {
    const item = items[at] ?? '';
    places.set(item, places.has(item) ? null : at);
  }
  return places;
}

/** The longest row of pairs that rises on the right, of pairs that rise on the left. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  interface Link {
    readonly pair: Pair;
    readonly previous: Link | undefined;
  }
  // The last link of the best row of each length.
  const rows: Link[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((rows[middle]?.pair[1] ?? 0) < pair[1]) low = middle + 1;
      else high = middle;
    }
    rows[low] = { pair, previous: rows[low - 1] };
  }
  const row: Pair[] = [];
  for (let link = rows.at(-1); link; link = link.previous) row.push(link.pair);
  return row.reverse();
}
