import type { ReactNode } from 'react';
import classes from '../fields.module.css';

interface CountedProps {
  /** `null`: nothing is said. */
  readonly text: string | null;
  readonly children: ReactNode;
}

/** An input, and how full it is. A reader of the screen hears the rule before, and the fault after. */
export function Counted({ text, children }: CountedProps) {
  return (
    <div>
      {children}
      {text !== null && (
        <div className={classes.count} aria-hidden>
          {text}
        </div>
      )}
    </div>
  );
}
