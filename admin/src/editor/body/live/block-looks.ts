import type { EditorState } from '@codemirror/state';
import type { SyntaxNode, SyntaxNodeRef } from '@lezer/common';
import type { Look, Seen } from './decorating.js';
import { isDoneTask } from '../writing/tasks.js';
import { Bullet, TaskBox } from './widgets.js';

/** The width of a character of equal widths, as a part of its height. */
const COLUMN = 0.6;

/** The part of a node that is seen: a block may be longer than the screen. */
const within = ({ from, to }: SyntaxNodeRef, seen: Seen): [number, number] => [
  Math.max(from, seen.from),
  Math.max(Math.max(from, seen.from), Math.min(to, seen.to)),
];

const heading =
  (level: number): Look =>
  (node, all) =>
    all.lines(node.from, node.to, `md-heading md-heading-${level}`);

const blockquote: Look = (node, all, seen) => {
  const isInner = hasAncestor(node.node.parent, 'Blockquote');
  all.lines(...within(node, seen), isInner ? 'md-quote md-quote-inner' : 'md-quote');
};

/** Lines on a ground of their own. */
const framed =
  (look: string): Look =>
  (node, all, seen) => {
    all.lines(...within(node, seen), `md-framed ${look}`);
    const last = all.state.doc.lineAt(node.to);
    if (node.from >= seen.from) all.lines(node.from, node.from, 'md-framed-first');
    if (last.from <= seen.to) all.lines(last.from, last.from, 'md-framed-last');
  };

const tableHeader: Look = (node, all) => all.lines(node.from, node.from, 'md-table-head');

/** Between cells, and the line below the head. */
const tableDelimiter: Look = ({ from, to }, all) => all.mark(from, to, 'md-dim');

const rule: Look = ({ from, to }, all) => {
  if (all.isNearLines(from)) return all.mark(from, to, 'md-dim');
  all.lines(from, from, 'md-rule');
  all.hide(from, to);
};

/** The marks of a heading, with the blanks beside them. One below a heading is a line of its own, and stays. */
const headerMark: Look = ({ from, to, node }, all) => {
  if (node.parent?.name.startsWith('Setext')) return all.mark(from, to, 'md-dim');
  const { parent } = node;
  if (!parent || all.isNearLines(from)) return;
  const line = all.state.doc.lineAt(from);
  if (from === parent.from) return all.hide(from, Math.min(afterBlanks(all.state, to), line.to));
  all.hide(beforeBlanks(all.state, from), to);
};

const quoteMark: Look = ({ from, to }, all) => {
  if (all.isNearLines(from)) return all.mark(from, to, 'md-dim');
  all.hide(from, all.state.sliceDoc(to, to + 1) === ' ' ? to + 1 : to);
};

/** The marks around a code block, which name its language. */
const codeMark: Look = ({ from, to, node }, all) => {
  const { parent } = node;
  if (parent?.name === 'InlineCode') return all.isNear(parent.from, parent.to) ? undefined : all.hide(from, to);
  if (!parent || all.isNearLines(parent.from, parent.to)) return all.mark(from, to, 'md-dim');
  all.hide(from, to);
};

/** The lines of an item stand below its text, not below its sign. */
const listItem: Look = ({ from, node }, all, seen) => {
  const line = all.state.doc.lineAt(from);
  const mark = node.getChild('ListMark');
  if (!mark || line.to < seen.from) return;
  const width = afterBlanks(all.state, mark.to) - line.from;
  all.mark(line.from, from, 'md-indent');
  all.lines(line.from, line.from, 'md-item', `--md-hang: ${width * COLUMN}em`);
  const hasSign = node.parent?.name === 'BulletList' && !node.getChild('Task');
  if (hasSign && !all.isNear(mark.from, mark.to)) all.replace(mark.from, mark.to, new Bullet());
};

const listMark: Look = ({ from, to, node }, all) => {
  const end = afterBlanks(all.state, to);
  const task = node.parent?.getChild('Task')?.getChild('TaskMarker');
  // The box takes the place of the sign.
  if (task && !all.isNear(from, task.to)) return all.hide(from, end);
  if (node.parent?.parent?.name !== 'OrderedList') all.mark(from, end, 'md-list-mark');
  else all.mark(from, end, 'md-number', { style: `min-width: ${(end - from) * COLUMN}em` });
};

const taskMarker: Look = ({ from, to, node }, all) => {
  const isDone = isDoneTask(all.state, from);
  const task = node.parent;
  if (isDone && task) all.mark(afterBlanks(all.state, to), task.to, 'md-done');
  const start = task?.parent?.from ?? from;
  if (!all.isNear(start, to)) all.replace(from, to, new TaskBox(isDone, all.state.readOnly));
};

const html: Look = (node, all, seen) => all.mark(...within(node, seen), 'md-html');

export const BLOCKS: Readonly<Record<string, Look>> = {
  ATXHeading1: heading(1),
  ATXHeading2: heading(2),
  ATXHeading3: heading(3),
  ATXHeading4: heading(4),
  ATXHeading5: heading(5),
  ATXHeading6: heading(6),
  SetextHeading1: heading(1),
  SetextHeading2: heading(2),
  HeaderMark: headerMark,
  Blockquote: blockquote,
  QuoteMark: quoteMark,
  FencedCode: framed('md-code-block'),
  CodeBlock: framed('md-code-block'),
  CodeMark: codeMark,
  CodeInfo: tableDelimiter,
  Table: framed('md-table'),
  TableHeader: tableHeader,
  TableDelimiter: tableDelimiter,
  HorizontalRule: rule,
  ListItem: listItem,
  ListMark: listMark,
  TaskMarker: taskMarker,
  HTMLBlock: html,
  CommentBlock: html,
  LinkReference: tableDelimiter,
};

function hasAncestor(node: SyntaxNode | null, name: string): boolean {
  for (let at = node; at; at = at.parent) if (at.name === name) return true;
  return false;
}

/** Finds the end of the blanks that begin at a place of a line. */
function afterBlanks({ doc }: EditorState, from: number): number {
  const line = doc.lineAt(from);
  const rest = line.text.slice(from - line.from);
  return from + (/^[ \t]*/.exec(rest)?.[0].length ?? 0);
}

function beforeBlanks({ doc }: EditorState, to: number): number {
  const line = doc.lineAt(to);
  return line.from + line.text.slice(0, to - line.from).trimEnd().length;
}
