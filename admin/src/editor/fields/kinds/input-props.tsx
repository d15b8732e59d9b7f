import { useState } from 'react';
import type { Fault, Field } from '../../../model.js';
import { faultOf, inputId } from '../faults.js';
import { HintLine } from '../hint-line.js';
import { hintsOf } from '../hints.js';

/** Props of every input of a field. */
export interface InputProps {
  readonly field: Field;
  readonly value: unknown;
  /** The content of the input that cannot be saved; `undefined`: none. */
  readonly held: unknown;
  /** Another number whenever something else is to stand in the input than what was typed there. */
  readonly drawn: number;
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
  readonly onChange: (value: unknown) => void;
  readonly onHold: (input: unknown, fault: string) => void;
}

/** The content of an input: the typed text, until another value replaces it; and the value that it began with. */
export function useTyped<T>({ value, held, drawn }: InputProps, inputOf: (value: unknown) => T) {
  const present = (): T => (held === undefined ? inputOf(value) : (held as T)); // what this input has held itself
  const [kept, setState] = useState(() => ({ drawn, input: present(), first: value }));
  const isReplaced = kept.drawn !== drawn;
  const state = isReplaced ? { drawn, input: present(), first: value } : kept;
  if (isReplaced) setState(state);
  return [state.input, (next: T) => setState({ ...state, input: next }), state.first] as const;
}

/** Props of the frame that inputs of Mantine draw. @param more a further text below the name */
export function frameOf({ field, faults, isReadOnly }: InputProps, more?: string) {
  const hasHints = hintsOf(field).length > 0 || field.pattern !== undefined || more !== undefined;
  return {
    id: inputId(field.name),
    label: field.label,
    description: hasHints ? <HintLine field={field} more={more} /> : undefined,
    required: field.required,
    error: faultOf(field.label, faults),
    readOnly: isReadOnly,
  };
}
