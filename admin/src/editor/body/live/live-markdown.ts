import { syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view';
import { liveLooks } from './live-looks.js';

/** Keeps up how the lines look that are seen. The document itself is never touched. */
class LiveMarkdown {
  looks: DecorationSet;
  /** Words that are selected by a pointer do not move under it. */
  private isHeld = false;
  /** True if the cursor is elsewhere than when it was looked at. */
  private isBehind = false;

  constructor(private readonly view: EditorView) {
    this.looks = looksOf(view);
    view.dom.ownerDocument.addEventListener('mouseup', this.release);
  }

  update(update: ViewUpdate): void {
    const { docChanged, viewportChanged, selectionSet, focusChanged } = update;
    if (selectionSet || focusChanged) this.isBehind = true;
    const isMoved = this.isBehind && !this.isHeld;
    const isRead = syntaxTree(update.startState) !== syntaxTree(update.state);
    if (!docChanged && !viewportChanged && !isMoved && !isRead) return;
    this.looks = looksOf(update.view);
    this.isBehind = false;
  }

  hold(): void {
    this.isHeld = true;
  }

  destroy(): void {
    this.view.dom.ownerDocument.removeEventListener('mouseup', this.release);
  }

  private readonly release = (): void => {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.view.dispatch();
  };
}

const live = ViewPlugin.fromClass(LiveMarkdown, {
  decorations: ({ looks }) => looks,
  eventHandlers: {
    mousedown({ button }) {
      if (button === 0) this.hold();
    },
  },
});

/** A link is opened in another tab, by Ctrl or Cmd and a click: a click alone puts the cursor there. */
const openLinks = EditorView.domEventHandlers({
  click(event) {
    if (!event.ctrlKey && !event.metaKey) return false;
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-address]') : null;
    const address = link?.dataset.address ?? '';
    if (!/^(https?|mailto):/.test(address)) return false;
    window.open(address, '_blank', 'noopener,noreferrer');
    return true;
  },
});

/** Markdown as it will be read, while it is written. */
export const liveMarkdown: Extension = [live, openLinks, EditorView.editorAttributes.of({ class: 'md-live' })];

function looksOf(view: EditorView): DecorationSet {
  // What is found is shown, though it may be a mark.
  const isShown = view.hasFocus || view.dom.dataset.finding !== undefined;
  return liveLooks(view.state, view.visibleRanges, isShown);
}
