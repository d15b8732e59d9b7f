import { Fragment, useMemo } from 'react';
import { Fold } from './fold.js';
import { words } from '../../words.js';
import classes from './merging.module.css';
import { drawn } from './text-part.js';
import { wordParts } from './word-parts.js';

interface WordDiffProps {
  readonly before: string;
  readonly after: string;
}

/** The changes of a text: removed words are struck out, new ones are underlined, and the rest is folded. */
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
        <Fragment key={at}>{part.kind === 'folded' ? <Fold part={part} draw={drawn} /> : drawn(part)}</Fragment>
      ))}
    </div>
  );
}
