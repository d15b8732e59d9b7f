import { Input } from '@mantine/core';
import { words } from '../../../words.js';
import editor from '../../editor.module.css';
import { ShownValue } from '../shown-value.js';
import { frameOf, type InputProps } from './input-props.js';

/** A value of a kind that this console does not know. */
export function ShownInput(props: InputProps) {
  const { value } = props;
  const { id, label, description, error } = frameOf(props);
  const isEmpty = value === null || value === undefined;
  return (
    <Input.Wrapper {...{ label, description, error }} labelElement="div">
      <div id={id} className={editor.shown} title={words.editor.later}>
        {isEmpty ? words.editor.nothing : <ShownValue value={value} />}
      </div>
    </Input.Wrapper>
  );
}
