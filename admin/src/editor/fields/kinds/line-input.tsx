import { TextInput } from '@mantine/core';
import type { ChangeEvent } from 'react';
import { words } from '../../../words.js';
import { leftOf } from '../hints.js';
import { entryOf } from '../registry.js';
import { Counted } from './counted.js';
import { frameOf, useTyped, type InputProps } from './input-props.js';
import { lengthOf } from './reading.js';

/** A text on one line, a number or a day. */
export function LineInput(props: InputProps) {
  const { field, onChange, onHold } = props;
  const entry = entryOf(field.type);
  const [text, setText] = useTyped(props, entry.text);
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const { value: typed, validity } = currentTarget;
    setText(typed);
    const reading = entry.read(typed, field);
    // Of a day that is half typed, browsers tell nothing but that it is no day.
    if (validity.badInput) onHold(typed, words.editor.fields.notComplete);
    else if (reading.fault === undefined) onChange(reading.value);
    else onHold(typed, reading.fault);
  };
  return (
    <Counted text={leftOf(field, lengthOf(text))}>
      <TextInput {...frameOf(props)} {...entry.html} {...daysOf(props)} value={text} onChange={change} />
    </Counted>
  );
}

function daysOf({ field: { type, min, max } }: InputProps) {
  return type === 'date' ? { min, max } : {};
}
