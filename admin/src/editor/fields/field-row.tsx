import { memo, type ReactNode } from 'react';
import type { Fault, Field } from '../../model.js';
import type { Editing } from '../saving/editing.js';
import { FieldInput } from './field-input.js';
import classes from './fields.module.css';
import { isSameRow } from './same-row.js';

export interface FieldRowProps {
  readonly editing: Editing;
  readonly field: Field;
  readonly value: unknown;
  readonly held: unknown;
  readonly drawn: number;
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
  readonly isWide: boolean;
  /** Further content below it. */
  readonly below: ReactNode;
}

/** One field of a form, which is drawn anew only when something of it has changed. */
export const FieldRow = memo(function FieldRow({ editing, below, isWide, ...props }: FieldRowProps) {
  const { name } = props.field;
  return (
    <div className={classes.field} data-wide={isWide}>
      <FieldInput
        {...props}
        onChange={(value) => editing.change(name, value)}
        onHold={(input, fault) => editing.hold(name, input, fault)}
      />
      {below}
    </div>
  );
}, isSameRow);
