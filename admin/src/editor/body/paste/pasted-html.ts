import type { ChangeSet } from '@codemirror/state';
import { EditorView, type ViewUpdate } from '@codemirror/view';
import { isInCode } from '../writing/list-lines.js';

/** HTML that was pasted as plain text, with its look at its origin. */
export interface PastedHtml {
  readonly html: string;
  /** The place of the plain text. */
  readonly from: number;
  readonly to: number;
}

/** Elements that Markdown has marks for. */
const MARKED =
  /<(a\s|h[1-6]|[ou]l|blockquote|table|strong|em|b|i|img|pre|code|del|s|hr)\b|font-weight:\s*(bold|[6-9]00)/i;
/** The mark of code editors, whose HTML has colours and no meaning. */
const OF_CODE = 'vscode-editor-data';

/** Tells whether a text loses something when it is pasted without its marks. */
function hasMarks(html: string): boolean {
  // Google Docs puts everything into one that is not bold.
  return MARKED.test(html.replace(/<b style="font-weight:\s*normal;?"/gi, '<span'));
}

/**
 * Looks for what is pasted with marks that Markdown has, too. The text itself is pasted at once, and never waits.
 *
 * @param tell `null`: what was pasted is not there any more as it was
 */
export function pastedHtml(tell: (pasted: PastedHtml | null) => void) {
  let html: string | null = null;
  let present: PastedHtml | null = null;
  const show = (next: PastedHtml | null) => {
    if (next !== present) tell(next);
    present = next;
  };
  return [
    EditorView.domEventObservers({
      paste({ clipboardData }, view) {
        const found = clipboardData?.getData('text/html') ?? '';
        const isCode = clipboardData?.types.includes(OF_CODE) ?? false;
        const isOffered = !isCode && hasMarks(found) && !isInCode(view.state, view.state.selection.main.from);
        html = isOffered ? found : null;
      },
    }),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      const part = html !== null && isPaste(update) ? insertedBy(update.changes) : null;
      if (part && html !== null) show({ html, ...part });
      else if (present) show(moved(present, update.changes));
      html = null;
    }),
  ];
}

function isPaste({ transactions }: ViewUpdate): boolean {
  return transactions.some((transaction) => transaction.isUserEvent('input.paste'));
}

/** The one part that was written; `null`: there are several. */
function insertedBy(changes: ChangeSet): Pick<PastedHtml, 'from' | 'to'> | null {
  const parts: { from: number; to: number }[] = [];
  changes.iterChanges((_from, _to, from, to) => parts.push({ from, to }));
  return parts.length === 1 ? (parts[0] ?? null) : null;
}

function moved({ html, from, to }: PastedHtml, changes: ChangeSet): PastedHtml | null {
  if (changes.touchesRange(from, to)) return null;
  return { html, from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) };
}
