import { Button } from '@mantine/core';
import type { EditorView } from '@codemirror/view';
import { UNREACHABLE } from '../../../common/failure.js';
import { tellFailure } from '../../../common/telling.js';
import { words } from '../../../words.js';
import classes from '../body.module.css';
import type { PastedHtml } from './pasted-html.js';

const t = words.writing.paste;

interface PasteOfferProps {
  readonly view: EditorView;
  readonly pasted: PastedHtml;
  readonly onDone: () => void;
}

/** Offers what was pasted as a plain text with its marks. */
export function PasteOffer({ view, pasted, onDone }: PasteOfferProps) {
  const convert = async () => {
    try {
      const { htmlToMarkdown } = await import('./html-to-markdown.js');
      onDone();
      write(view, pasted, htmlToMarkdown(pasted.html));
    } catch {
      tellFailure(UNREACHABLE);
    }
  };
  return (
    <div className={classes.offer} role="status">
      <span>{t.said}</span>
      <Button size="compact-sm" variant="light" onClick={() => void convert()}>
        {t.asMarkdown}
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={onDone}>
        {t.asText}
      </Button>
    </div>
  );
}

function write(view: EditorView, { from, to }: PastedHtml, markdown: string): void {
  const insert = view.state.toText(markdown.replaceAll('\n', view.state.lineBreak));
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: 'input.paste',
    scrollIntoView: true,
  });
  view.focus();
}
