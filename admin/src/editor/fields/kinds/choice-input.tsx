import { NativeSelect } from '@mantine/core';
import { words } from '../../../words.js';
import { entryOf } from '../registry.js';
import { frameOf, type InputProps } from './input-props.js';

const YES_OR_NO = { true: words.editor.yes, false: words.editor.no } as const;

/** One of a few values, or none. */
export function ChoiceInput(props: InputProps) {
  const { field, value, isReadOnly, onChange } = props;
  const { text, read } = entryOf(field.type);
  const chosen = text(value);
  return (
    <NativeSelect
      {...frameOf(props)}
      disabled={isReadOnly}
      value={chosen}
      data={[{ value: '', label: '–' }, ...choicesOf(props, chosen)]}
      onChange={({ currentTarget }) => {
        const reading = read(currentTarget.value, field);
        if (reading.fault === undefined) onChange(reading.value);
      }}
    />
  );
}

/** A value that is no choice any more stays one until another is taken. */
function choicesOf({ field }: InputProps, chosen: string): { value: string; label: string }[] {
  if (field.type === 'boolean') return Object.entries(YES_OR_NO).map(([value, label]) => ({ value, label }));
  const values = field.values ?? [];
  const all = chosen === '' || values.includes(chosen) ? values : [...values, chosen];
  return all.map((value) => ({ value, label: value }));
}
