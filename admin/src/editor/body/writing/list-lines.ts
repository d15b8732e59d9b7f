import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

/** The line of an item: `> 2. [x] Text`. */
export interface ListLine {
  /** Quote marks and blanks before the mark. */
  readonly indent: string;
  /** `-`, `*`, `+`, `2.` or `2)`; empty in a quote without a list. */
  readonly mark: string;
  /** The blanks behind the mark. */
  readonly gap: string;
  /** `[x] ` of a task. */
  readonly task: string;
  /** The text to write. */
  readonly text: string;
}

const ITEM = /^((?:[ \t]*>)*[ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)(\[[ xX]\](?:[ \t]+|$))?(.*)$/s;
const QUOTE = /^([ \t]*(?:>[ \t]?)+)(.*)$/s;

/** Reads a line as an item of a list or a part of a quote. */
export function listLineOf(line: string): ListLine | null {
  const item = isRule(line) ? null : partsOf(ITEM, line);
  if (item) return { indent: item(1), mark: item(2), gap: item(3), task: item(4), text: item(5) };
  const quote = partsOf(QUOTE, line);
  return quote && { indent: quote(1), mark: '', gap: '', task: '', text: quote(2) };
}

/** The groups of a pattern in a line; `null`: the line has not this pattern. */
function partsOf(pattern: RegExp, line: string): ((group: number) => string) | null {
  const found = pattern.exec(line);
  return found && ((group) => found[group] ?? '');
}

/** The beginning of the next item. */
export function nextPrefix({ indent, mark, gap, task }: ListLine): string {
  const next = mark.replace(/\d+/, (number) => String(Number(number) + 1));
  return `${indent}${next}${gap}${task === '' ? '' : '[ ] '}`;
}

/** Tells whether a place is within code, where marks mean nothing. */
export function isInCode(state: EditorState, at: number): boolean {
  for (let node: ReturnType<typeof nodeAt> | null = nodeAt(state, at); node; node = node.parent) {
    if (/^(FencedCode|CodeBlock)$/.test(node.name)) return true;
  }
  return false;
}

/** `- - -` and `***` are lines, not items. */
function isRule(line: string): boolean {
  return /^[ \t]*([-*])[ \t]*(?:\1[ \t]*){2,}$/.test(line);
}

function nodeAt(state: EditorState, at: number) {
  return syntaxTree(state).resolveInner(at, -1);
}
