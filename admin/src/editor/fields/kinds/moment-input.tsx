import { TextInput } from '@mantine/core';
import type { ChangeEvent } from 'react';
import { words } from '../../../words.js';
import { entryOf } from '../registry.js';
import { Counted } from './counted.js';
import { frameOf, useTyped, type InputProps } from './input-props.js';
import { stepOf } from './moment-text.js';

const t = words.editor.fields;
const { timeZone: ZONE } = Intl.DateTimeFormat().resolvedOptions();

/** A moment in the time of who edits it, with the one that is stored. */
export function MomentInput(props: InputProps) {
  const { value, onChange, onHold } = props;
  const { text: textOf, read } = entryOf('datetime');
  const [text, setText, first] = useTyped(props, textOf);
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const { value: typed, validity } = currentTarget;
    setText(typed);
    const reading = read(typed, props.field, [first]);
    if (validity.badInput) onHold(typed, t.notComplete);
    else if (reading.fault === undefined) onChange(reading.value);
    else onHold(typed, reading.fault);
  };
  return (
    <Counted text={typeof value === 'string' && value !== '' ? t.stored(value) : null}>
      <TextInput
        {...frameOf(props, t.zone(ZONE))}
        type="datetime-local"
        step={stepOf(text)}
        value={text}
        onChange={change}
      />
    </Counted>
  );
}
