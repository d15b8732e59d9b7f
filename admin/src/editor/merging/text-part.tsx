import classes from './merging.module.css';
import type { TextPart } from './word-parts.js';

/** A stretch of a text, marked if it went or came. */
export function drawn({ kind, text }: TextPart) {
  if (kind === 'same') return text;
  // Without a word, the end of a line has nothing that could be marked.
  const shown = /^[\s]*$/.test(text) ? text.replace(/\r\n|[\r\n]/g, '↵\n') : text;
  return kind === 'added' ? (
    <ins className={classes.added}>{shown}</ins>
  ) : (
    <del className={classes.removed}>{shown}</del>
  );
}
