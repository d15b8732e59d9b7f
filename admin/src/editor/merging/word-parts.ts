import { words } from '../../words.js';
import { areApart, hunksOf, linesOf, wordsOf } from './hunks.js';

/** A stretch of what a reader sees of two texts. */
export interface TextPart {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** The sentence that stands for a stretch. */
export interface FoldedPart {
  readonly kind: 'folded';
  readonly text: string;
  /** Absent: it cannot be unfolded. */
  readonly left?: TextPart;
}

export type Part = TextPart | FoldedPart;

const t = words.editor.merging;

/** The largest parts of a stretch that are shown before and after its folded part. */
interface Shown {
  readonly characters: number;
  readonly lines: number;
}

const SHOWN = { same: { characters: 160, lines: 2 }, changed: { characters: 1_500, lines: 30 } } as const;
/** Characters that may be more than what is shown without being left out. */
const SLACK = 240;
const SLACK_LINES = 3;
/** So many parts are shown, so that a page does not hang on two texts that have nothing in common. */
export const MOST_PARTS = 240;
/** The share of changed words from which all old ones are shown first, and then the new ones. */
const READABLE = 0.6;

/** The changes of a text, by words. The joined `same` and `removed` are the text before, if nothing is folded. */
export function wordParts(before: string, after: string): Part[] {
  if (before === after) return [{ kind: 'folded', text: t.equal }];
  const parts = joined(lineParts(linesOf(before), linesOf(after)));
  const shown = parts.slice(0, MOST_PARTS).flatMap((part, at) => {
    const isChanged = part.kind !== 'same';
    return folded(part, isChanged || at > 0, isChanged || at < parts.length - 1);
  });
  const left = parts.slice(MOST_PARTS).filter(({ kind }) => kind !== 'same').length;
  return left === 0 ? shown : [...shown, { kind: 'folded', text: `\n${t.moreChanges(left)}` }];
}

function lineParts(before: readonly string[], after: readonly string[]): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { from, to, start, end } of hunksOf(before, after)) {
    parts.push({ kind: 'same', text: before.slice(at, from).join('') });
    parts.push(...changedParts(before.slice(from, to).join(''), after.slice(start, end).join('')));
    at = to;
  }
  return [...parts, { kind: 'same', text: before.slice(at).join('') }];
}

/** Two stretches of lines by words, or whole where they have little in common. */
export function changedParts(old: string, young: string): TextPart[] {
  const [before, after] = [wordsOf(old), wordsOf(young)];
  const parts: TextPart[] = [];
  let [at, changed] = [0, 0];
  for (const { from, to, start, end } of hunksOf(before, after)) {
    const same = before.slice(at, from).join('');
    // Words in a row are one change, with the spaces between them.
    const isApart = parts.length === 0 || areApart(before, at, from);
    const [removed, added] = isApart ? ['', ''] : parts.splice(-2).map(({ text }) => text + same);
    if (isApart) parts.push({ kind: 'same', text: same });
    parts.push({ kind: 'removed', text: `${removed}${before.slice(from, to).join('')}` });
    parts.push({ kind: 'added', text: `${added}${after.slice(start, end).join('')}` });
    changed += to - from + (end - start);
    at = to;
  }
  const isReadable = changed <= READABLE * (before.length + after.length);
  if (isReadable) return [...parts, { kind: 'same', text: before.slice(at).join('') }];
  return [
    { kind: 'removed', text: old },
    { kind: 'added', text: young },
  ];
}

/** Without empty parts, and with one for neighbours of the same kind. */
function joined(parts: readonly TextPart[]): TextPart[] {
  const all: TextPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part.text === '') continue;
    if (last?.kind === part.kind) all[all.length - 1] = { ...part, text: last.text + part.text };
    else all.push(part);
  }
  return all;
}

/** A long stretch by its beginning and its end, where there is something before and after it, with a sentence between. */
export function folded(part: TextPart, isAfter: boolean, isBefore: boolean): Part[] {
  const { kind, text } = part;
  const shown = kind === 'same' ? SHOWN.same : SHOWN.changed;
  const head = isAfter ? beginning(text, shown) : '';
  const tail = isBefore ? ending(text.slice(head.length), shown) : '';
  const left = text.slice(head.length, text.length - tail.length);
  if (left.length <= SLACK && linesOf(left).length <= SLACK_LINES) return [part];
  const all: Part[] = [
    { kind, text: head },
    { kind: 'folded', text: sentenceOf(left, kind === 'same'), left: { kind, text: left } },
    { kind, text: tail },
  ];
  return all.filter((one) => one.text !== '');
}

function sentenceOf(left: string, isSame: boolean): string {
  const lines = linesOf(left).length;
  if (lines > SLACK_LINES) return isSame ? t.sameLines(lines) : t.moreLines(lines);
  const n = left.match(/\S+/g)?.length ?? 0;
  return isSame ? t.sameWords(n) : t.moreWords(n);
}

/** The visible beginning of a stretch, up to the end of a line or of a word. */
function beginning(text: string, { characters, lines }: Shown): string {
  const part = text.slice(0, characters);
  const head = linesOf(part).slice(0, lines).join('');
  if (head.length < part.length || part.length === text.length) return head;
  // Not half of a sign of two units, where there are no spaces.
  return head.replace(/\S*$/, '') || head.replace(/[\uD800-\uDBFF]$/, '');
}

/** The visible end of a stretch, from the beginning of a line or of a word. */
function ending(text: string, { characters, lines }: Shown): string {
  const part = text.slice(-characters);
  const tail = linesOf(part).slice(-lines).join('');
  if (tail.length < part.length || part.length === text.length) return tail;
  return tail.replace(/^\S*/, '') || tail.replace(/^[\uDC00-\uDFFF]/, '');
}
