import { areApart, hunksOf, linesOf, wordsOf } from './hunks.js';

/** A text, and what two people have made of it. */
interface Versions {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

interface Merged {
  readonly text: string;
  /** In how many places both texts stand, theirs first, because both were changed in their own way. */
  readonly conflicts: number;
}

/** The same stretch of three texts, as lines or words. */
interface Region {
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/** A stretch of more lines than this, all changed by both, is another text: its lines are not compared one by one. */
const MOST_LINES = 1_000;

/**
 * One text with the changes of both, by lines, and by words where both have changed the same lines. What both have
 * changed in their own way is kept twice, theirs first. All other bytes, line ends too, stay as they are.
 */
export function mergeTexts({ base, mine, theirs }: Versions): Merged {
  const lineEnd = /\r\n|[\r\n]/.exec(theirs + mine)?.[0] ?? '\n';
  const regions = regionsOf({ base: linesOf(base), mine: linesOf(mine), theirs: linesOf(theirs) });
  return joined(regions.map((region) => mergedLines(region, lineEnd)));
}

function mergedLines(region: Region, lineEnd: string): Merged {
  const { base, mine, theirs } = region;
  const versions = { base: base.join(''), mine: mine.join(''), theirs: theirs.join('') };
  const text = agreed(versions);
  if (text !== null) return { text, conflicts: 0 };
  const isByLine = base.length > 1 && base.length === mine.length && base.length === theirs.length;
  if (isByLine && base.length < MOST_LINES) {
    const each = base.map((line, at) => ({
      base: [line],
      mine: mine.slice(at, at + 1),
      theirs: theirs.slice(at, at + 1),
    }));
    return joined(each.map((lines) => mergedLines(lines, lineEnd)));
  }
  const merged = mergedWords(versions);
  return merged === null ? { text: both(versions, lineEnd), conflicts: 1 } : { text: merged, conflicts: 0 };
}

/** The words of both, or `null` where both have changed the same or neighbouring words. */
function mergedWords({ base, mine, theirs }: Versions): string | null {
  const regions = regionsOf({ base: wordsOf(base), mine: wordsOf(mine), theirs: wordsOf(theirs) });
  const texts = regions.map((region) =>
    agreed({ base: region.base.join(''), mine: region.mine.join(''), theirs: region.theirs.join('') }),
  );
  return texts.includes(null) ? null : texts.join('');
}

/** The one text of a stretch that at most one has changed, or both in the same way; else `null`. */
function agreed({ base, mine, theirs }: Versions): string | null {
  if (mine === base || mine === theirs) return theirs;
  return theirs === base ? mine : null;
}

/** Both texts. They stay on lines of their own, also where a text ends without a line end. */
function both({ mine, theirs }: Versions, lineEnd: string): string {
  const isOpen = theirs !== '' && mine !== '' && !/[\r\n]$/.test(theirs);
  return `${theirs}${isOpen ? lineEnd : ''}${mine}`;
}

function joined(parts: readonly Merged[]): Merged {
  return {
    text: parts.map(({ text }) => text).join(''),
    conflicts: parts.reduce((sum, { conflicts }) => sum + conflicts, 0),
  };
}

/** Cuts three lists where all are equal, so that changes that touch stay in one region. */
function regionsOf({ base, mine, theirs }: Region): Region[] {
  const changes = [
    ...hunksOf(base, mine).map((hunk) => ({ ...hunk, side: 'mine' as const })),
    ...hunksOf(base, theirs).map((hunk) => ({ ...hunk, side: 'theirs' as const })),
  ].sort((one, other) => one.from - other.from);

  const regions: Region[] = [];
  const at = { base: 0, mine: 0, theirs: 0 };
  const take = (lengths: Readonly<typeof at>) => {
    const part = (items: readonly string[], side: keyof typeof at) =>
      items.slice(at[side], (at[side] += lengths[side]));
    regions.push({ base: part(base, 'base'), mine: part(mine, 'mine'), theirs: part(theirs, 'theirs') });
  };
  for (let next = 0; next < changes.length;) {
    const from = changes[next]?.from ?? 0;
    const kept = from - at.base;
    take({ base: kept, mine: kept, theirs: kept });

    let to = from;
    const grown = { mine: 0, theirs: 0 };
    for (let change = changes[next]; change && !areApart(base, to, change.from); change = changes[(next += 1)]) {
      to = Math.max(to, change.to);
      grown[change.side] += change.end - change.start - (change.to - change.from);
    }
    take({ base: to - from, mine: to - from + grown.mine, theirs: to - from + grown.theirs });
  }
  const rest = base.length - at.base;
  take({ base: rest, mine: rest, theirs: rest });
  return regions;
}
