import { Fragment, useMemo } from 'react';
import { words } from '../../words.js';
import classes from './merging.module.css';
import { wordParts, type Part } from './word-parts.js';

interface WordDiffProps {
  readonly before: string;
  readonly after: string;
}

/** What has become of a text: words that went are struck out, new ones are underlined, and what stayed is folded. */
export function WordDiff({ before, after }: WordDiffProps) {
  const parts = useMemo(() => wordParts(before, after), [before, after]);
  // What may have to be scrolled can be reached by the keyboard.
  const isLong = parts.reduce((sum, { text }) => sum + text.length, 0) > 400;
  return (
    <div
      className={classes.diff}
      tabIndex={isLong ? 0 : undefined}
      role="group"
      aria-label={words.editor.merging.difference}
    >
      {parts.map((part, at) => (
        <Fragment key={at}>{drawn(part)}</Fragment>
      ))}
    </div>
  );
}

function drawn({ kind, text }: Part) {
  if (kind === 'same') return text;
  if (kind === 'folded') return <span className={classes.folded}>{text}</span>;
  // Without a word, the end of a line has nothing that could be marked.
  const shown = /^[\s]*$/.test(text) ? text.replace(/\r\n|[\r\n]/g, '↵\n') : text;
  return kind === 'added' ? (
    <ins className={classes.added}>{shown}</ins>
  ) : (
    <del className={classes.removed}>{shown}</del>
  );
}
