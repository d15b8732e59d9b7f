import { Change, getChunks, goToNextChunk, goToPreviousChunk, MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { place } from '../../place.js';
import { words } from '../../words.js';
import { bodySetup } from '../body/body-setup.js';
import { hunksOf, linesOf, wordsOf } from './hunks.js';

const t = words.editor.merging;

interface MergeOptions {
  readonly parent: HTMLElement;
  readonly kind: 'markdown' | 'html' | 'text';
  readonly theirs: string;
  readonly result: string;
  /** One editor with what it differs by, for narrow windows; else theirs stands to the left of the result. */
  readonly isUnified: boolean;
  readonly onChange: (text: string) => void;
}

interface Merging {
  /** The editor of the result. */
  readonly view: EditorView;
  destroy(): void;
}

/** The search of the library takes two long texts with many changes for one change. */
const diffConfig = { override: changesOf };
const collapseUnchanged = { margin: 2, minSize: 4 };

const ADDED = 'var(--c-added)';
const REMOVED = 'var(--c-removed)';
/** The library has colours of its own for one scheme, and more weight than a plain rule. */
const looks = EditorView.theme({
  '&': { fontSize: '14px' },
  '.cm-scroller': { lineHeight: '24px' },
  '.cm-content': { padding: '8px 0' },
  '.cm-line, .cm-deletedChunk': { padding: '0 12px' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: REMOVED },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: ADDED },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: 'var(--c-removed-word) !important' },
  '&.cm-merge-b .cm-changedText': { background: 'var(--c-added-word) !important' },
  // Dimmed words and links are not readable on these grounds.
  '.cm-changedText, .cm-changedText *, .cm-deletedText *': { color: 'var(--mantine-color-text) !important' },
  '.cm-collapsedLines': {
    padding: '4px 12px',
    fontSize: '12px',
    color: 'var(--mantine-color-dimmed) !important',
    background: 'var(--c-code) !important',
  },
  '.cm-gutters': { border: '0', background: 'transparent' },
  '&.cm-merge-b': { borderLeft: '1px solid var(--c-line)' },
  // The signs around it are in few fonts.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"…" !important' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--mantine-color-error) !important' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--c-published) !important' },
});

/** Shows what a result has that the other text has not. Only the result can be changed. */
export function openMerge(options: MergeOptions): Merging {
  const { parent, theirs, isUnified } = options;
  const result = setup(options, options.result, false);
  if (isUnified) {
    // Cut into lines as the result is, so that a text with both kinds of line ends differs only where it does.
    const original = EditorState.create(setup(options, theirs, true));
    const unified = unifiedMergeView({ original: original.doc, mergeControls: false, collapseUnchanged, diffConfig });
    const state = EditorState.create({ doc: result.doc, extensions: [result.extensions, unified] });
    const view = new EditorView({ state, parent });
    return { view, destroy: () => view.destroy() };
  }
  const merge = new MergeView({ parent, a: setup(options, theirs, true), b: result, collapseUnchanged, diffConfig });
  return { view: merge.b, destroy: () => merge.destroy() };
}

function setup({ kind, onChange }: MergeOptions, text: string, isReadOnly: boolean) {
  const label = isReadOnly ? t.theirs : t.dialog.result;
  const { doc, extensions } = bodySetup({ text, kind, label, hint: '', isReadOnly, nonce: place.nonce, onChange });
  // The first thing of a dialog that has this takes the focus.
  const focus = isReadOnly ? [] : EditorView.contentAttributes.of({ 'data-autofocus': '' });
  return { doc, extensions: [looks, extensions, focus] };
}

/** Puts the cursor on the next or the previous change, and shows it. */
export function goToChange(view: EditorView, isBack: boolean): void {
  if (!getChunks(view.state)?.chunks.length) return;
  const go = isBack ? goToPreviousChunk : goToNextChunk;
  go(view);
  view.focus();
  view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { y: 'center' }) });
}

/** Differences between two texts by their lines, and by words within these. */
function changesOf(before: string, after: string): Change[] {
  const lines = changesIn(linesOf(before), linesOf(after));
  return lines.flatMap(({ fromA, toA, fromB, toB }) =>
    changesIn(wordsOf(before.slice(fromA, toA)), wordsOf(after.slice(fromB, toB))).map((change) =>
      moved(change, fromA, fromB),
    ),
  );
}

/** Changed items by where they begin and end in the joined texts. */
function changesIn(before: readonly string[], after: readonly string[]): Change[] {
  const [inA, inB] = [startsOf(before), startsOf(after)];
  return hunksOf(before, after).map(
    ({ from, to, start, end }) => new Change(inA[from] ?? 0, inA[to] ?? 0, inB[start] ?? 0, inB[end] ?? 0),
  );
}

function moved({ fromA, toA, fromB, toB }: Change, a: number, b: number): Change {
  return new Change(fromA + a, toA + a, fromB + b, toB + b);
}

/** The beginning of each item in the joined text, and the end of the last one. */
function startsOf(items: readonly string[]): number[] {
  const starts = [0];
  let at = 0;
  for (const { length } of items) starts.push((at += length));
  return starts;
}
