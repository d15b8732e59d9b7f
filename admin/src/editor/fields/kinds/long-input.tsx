import { Textarea } from '@mantine/core';
import classes from '../fields.module.css';
import { leftOf } from '../hints.js';
import { entryOf } from '../registry.js';
import { Counted } from './counted.js';
import { frameOf, useTyped, type InputProps } from './input-props.js';
import { lengthOf } from './reading.js';

/** A text of many lines. */
export function LongInput(props: InputProps) {
  const { field, onChange, onHold } = props;
  const entry = entryOf(field.type);
  const [text, setText] = useTyped(props, entry.text);
  const change = (typed: string) => {
    setText(typed);
    const reading = entry.read(typed, field);
    if (reading.fault === undefined) onChange(reading.value);
    else onHold(typed, reading.fault);
  };
  return (
    <Counted text={leftOf(field, lengthOf(text))}>
      <Textarea
        {...frameOf(props)}
        autosize
        minRows={3}
        maxRows={14}
        classNames={{ input: field.type === 'html' ? classes.code : undefined }}
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    </Counted>
  );
}
