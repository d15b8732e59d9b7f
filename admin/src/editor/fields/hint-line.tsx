import type { Field } from '../../model.js';
import { words } from '../../words.js';
import classes from './fields.module.css';
import { hintsOf } from './hints.js';

interface HintLineProps {
  readonly field: Field;
  /** A further text. */
  readonly more?: string | undefined;
}

/** The line below the name of a field. A pattern is not broken: a blank in it may be a part of it. */
export function HintLine({ field, more }: HintLineProps) {
  const { pattern } = field;
  const said = [...hintsOf(field), ...(more === undefined ? [] : [more])].join(' · ');
  if (pattern === undefined) return said;
  return (
    <>
      {said !== '' && `${said} · `}
      {words.editor.fields.pattern}
      <code className={classes.pattern}>{pattern}</code>
    </>
  );
}
