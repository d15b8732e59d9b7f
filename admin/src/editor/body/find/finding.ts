import {
  closeSearchPanel,
  getSearchQuery,
  openSearchPanel,
  search,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search';
import { Compartment, StateEffect, type EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** The text to find, and its replacement. */
export interface Wanted {
  readonly text: string;
  readonly replacement: string;
  readonly isCaseSensitive: boolean;
}

/** The number of matches, and the selected one; 0: none. */
export interface Found {
  readonly at: number;
  readonly total: number;
}

/** More places are not counted. */
export const MOST = 1_000;

const finding = new Compartment();

/** The place of the cursor: below the part that stays at the top of the screen. */
const looks = EditorView.theme({
  '.cm-panels': { display: 'none' },
  '.cm-searchMatch': {
    borderRadius: '3px',
    background: 'color-mix(in srgb, var(--mantine-primary-color-filled) 20%, transparent)',
  },
  '.cm-searchMatch-selected': {
    background: 'color-mix(in srgb, var(--mantine-primary-color-filled) 48%, transparent)',
  },
});

/** Marks what is found in an editor. @returns what is looked for at first: what is selected */
export function startFinding(view: EditorView, onChange: () => void): string {
  const extension = [
    // The library marks what it finds while its panel is open; the bar of the console takes the place of that.
    search({
      literal: true,
      createPanel: () => ({ dom: document.createElement('div') }),
      scrollToMatch: ({ from, to }) => EditorView.scrollIntoView(from === to ? from : to, { y: 'center' }),
    }),
    EditorView.updateListener.of(({ docChanged, selectionSet }) => {
      if (docChanged || selectionSet) onChange();
    }),
    looks,
  ];
  const isKnown = finding.get(view.state) !== undefined;
  const effects = isKnown ? finding.reconfigure(extension) : StateEffect.appendConfig.of(finding.of(extension));
  view.dispatch({ effects });
  openSearchPanel(view);
  view.dom.dataset.finding = '';
  return getSearchQuery(view.state).search;
}

export function stopFinding(view: EditorView): void {
  delete view.dom.dataset.finding;
  closeSearchPanel(view);
  view.dispatch({ effects: finding.reconfigure([]) });
}

/** Looks for something else. */
export function want(view: EditorView, { text, replacement, isCaseSensitive }: Wanted): void {
  const query = new SearchQuery({ search: text, replace: replacement, caseSensitive: isCaseSensitive, literal: true });
  if (!query.eq(getSearchQuery(view.state))) view.dispatch({ effects: setSearchQuery.of(query) });
}

export function foundIn(state: EditorState): Found {
  const query = getSearchQuery(state);
  if (!query.valid) return { at: 0, total: 0 };
  const { from, to } = state.selection.main;
  const cursor = query.getCursor(state);
  let [at, total] = [0, 0];
  for (let next = cursor.next(); !next.done && total < MOST; next = cursor.next()) {
    total += 1;
    if (next.value.from === from && next.value.to === to) at = total;
  }
  return { at, total };
}
