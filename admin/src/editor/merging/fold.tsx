import { useState, type ReactNode } from 'react';
import classes from './merging.module.css';
import type { FoldedPart, TextPart } from './word-parts.js';

interface FoldProps {
  readonly part: FoldedPart;
  readonly draw: (part: TextPart) => ReactNode;
}

/** Stands for a stretch of a text, and shows it when it is pressed. */
export function Fold({ part: { text, left }, draw }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  if (!left) return <span className={classes.folded}>{text}</span>;
  if (!isOpen) {
    return (
      <button type="button" className={classes.folded} onClick={() => setOpen(true)}>
        {text}
      </button>
    );
  }
  // The button that had the focus is gone.
  return (
    <span tabIndex={-1} ref={(shown) => shown?.focus({ preventScroll: true })}>
      {draw(left)}
    </span>
  );
}
