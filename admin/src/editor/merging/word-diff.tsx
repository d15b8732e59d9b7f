import { Fragment, useMemo } from 'react';
import { ShownValue } from '../fields/shown-value.js';
import { words } from '../../words.js';
import classes from './merging.module.css';
import { wordParts, type Part } from './word-parts.js';

interface WordDiffProps {
  readonly before: string;
  readonly after: string;
}

/** What has become of a text: words that went are struck out, new ones are underlined, and what stayed is folded. */
function WordDiff({ before, after }: WordDiffProps) {
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

interface ValueDiffProps {
  readonly before: { readonly label: string; readonly value: unknown };
  readonly after: { readonly label: string; readonly value: unknown };
}

/** Two values of a field: texts by their difference, any others below each other. */
export function ValueDiff({ before, after }: ValueDiffProps) {
  if (typeof before.value === 'string' && typeof after.value === 'string') {
    return <WordDiff before={before.value} after={after.value} />;
  }
  return (
    <dl className={classes.values}>
      {[before, after].map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{valueOf(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function valueOf(value: unknown) {
  const isNothing =
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  if (isNothing) return words.editor.nothing;
  if (typeof value === 'boolean') return value ? words.editor.yes : words.editor.no;
  return typeof value === 'number' || typeof value === 'string' ? value : <ShownValue value={value} />;
}
