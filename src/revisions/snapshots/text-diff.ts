import { diffArrays } from 'diff';
import { setImmediate as turn } from 'node:timers/promises';

/** One piece of a text that was kept, put in or taken out. */
export interface TextChange {
  readonly op: 'equal' | 'insert' | 'delete';
  readonly text: string;
}

/** Milliseconds that the comparison of all texts of one answer may take. */
const BUDGET_MS = 150;
/** Nothing else is answered for so long at most: then whatever waits has its turn. */
const SLICE_MS = 12;
/** Ends that both texts share are not taken apart; they give way by so much at most to the word that they cut. */
const LONGEST_WORD = 100;

/** Words of every script that has spaces, letters of those that have none, runs of spaces, and single signs. */
const WORDS = /(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])[\p{L}\p{M}\p{N}_])+|\s+|[^]/gu;
const LINES = /[^\n]*\n|[^\n]+$/g;
const WORD_UNIT = /[\p{L}\p{M}\p{N}_\uD800-\uDFFF]/u;

/** Texts whose numbers of parts multiply to no more are compared in a fraction of a millisecond: a busy machine makes no coarser one of that. */
const SMALL = 10_000;

/** The number of parts of a text that are found between two looks at the clock. */
const PARTS_PER_LOOK = 4_096;

/** Compares texts, as finely as time allows: all that one instance does ends in time, and gives way in between. */
export class TextDiff {
  private left = BUDGET_MS;
  private sliceStart = performance.now();

  /** Word by word; line by line where that would take too long; `null` where that would, too. */
  async changes(from: string, to: string): Promise<readonly TextChange[] | null> {
    await this.giveWay();
    const { start, end } = sharedEnds(from, to);
    const [one, other] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
    const middle = (await this.compared(one, other, WORDS)) ?? (await this.compared(one, other, LINES));
    await this.giveWay();
    if (!middle) return null;
    return joined([equal(from.slice(0, start)), ...middle, equal(from.slice(from.length - end))]);
  }

  /** Takes half of the time that is left at most, so that something is left for a coarser comparison. */
  private async compared(from: string, to: string, parts: RegExp): Promise<TextChange[] | null> {
    await this.giveWay();
    const reserve = this.left / 2;
    const before = await this.partsOf(from, parts, reserve);
    const after = before && (await this.partsOf(to, parts, reserve));
    await this.giveWay();
    if (!before || !after) return null;
    const isSmall = before.length * after.length <= SMALL;
    const timeout = isSmall ? Infinity : Math.floor(Math.min(this.left - reserve, SLICE_MS));
    const changes = timeout > 0 ? diffArrays(before, after, { timeout }) : undefined;
    return (
      changes?.map(({ added, removed, value }) => ({
        op: added ? 'insert' : removed ? 'delete' : 'equal',
        text: value.join(''),
      })) ?? null
    );
  }

  /**
   * @param parts finds one behind the other, without a gap
   * @param reserve milliseconds that have to be left
   * @returns `null`: there are too many for the time
   */
  private async partsOf(text: string, parts: RegExp, reserve: number): Promise<string[] | null> {
    const found: string[] = [];
    const finder = new RegExp(parts);
    for (let start = 0; finder.test(text); start = finder.lastIndex) {
      found.push(text.slice(start, finder.lastIndex));
      if (found.length % PARTS_PER_LOOK !== 0) continue;
      if (performance.now() - this.sliceStart > SLICE_MS) await this.giveWay();
      if (this.left < reserve) return null;
    }
    return found;
  }

  /** Lets everything else go on, which does not count as time of the comparison. */
  private async giveWay(): Promise<void> {
    this.left -= performance.now() - this.sliceStart;
    await turn();
    this.sliceStart = performance.now();
  }
}

/** The number of units that both texts begin and end with, without a part of a word. */
function sharedEnds(from: string, to: string): { start: number; end: number } {
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start += 1;
  start = stepBack(start, (at) => from[at - 1]);
  let end = 0;
  while (end < most - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  return { start, end: stepBack(end, (at) => from[from.length - at]) };
}

function stepBack(shared: number, unitAt: (at: number) => string | undefined): number {
  const least = Math.max(0, shared - LONGEST_WORD);
  let at = shared;
  while (at > least && WORD_UNIT.test(unitAt(at) ?? '')) at -= 1;
  return at;
}

function equal(text: string): TextChange {
  return { op: 'equal', text };
}

/** Neighbours of one kind as one, and none that is empty. */
function joined(changes: readonly TextChange[]): TextChange[] {
  const all: TextChange[] = [];
  for (const { op, text } of changes) {
    const last = all.at(-1);
    if (text === '') continue;
    if (last?.op === op) all[all.length - 1] = { op, text: last.text + text };
    else all.push({ op, text });
  }
  return all;
}
