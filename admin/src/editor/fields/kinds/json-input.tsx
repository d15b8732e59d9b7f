import { Button, Textarea } from '@mantine/core';
import { words } from '../../../words.js';
import classes from '../fields.module.css';
import { frameOf, useTyped, type InputProps } from './input-props.js';
import { jsonText, readJson } from './json-text.js';

/** Any value as JSON. What is none stays as it was typed, with the line that is to be mended, and is not sent. */
export function JsonInput(props: InputProps) {
  const { isReadOnly, onChange, onHold } = props;
  const [text, setText] = useTyped(props, jsonText);
  const reading = readJson(text);
  const change = (typed: string) => {
    setText(typed);
    const read = readJson(typed);
    if (read.fault === undefined) onChange(read.value);
    else onHold(typed, read.fault);
  };
  const pretty = reading.fault === undefined ? jsonText(reading.value) : text;
  return (
    <div className={classes.json}>
      <Textarea
        {...frameOf(props)}
        autosize
        minRows={3}
        maxRows={16}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        classNames={{ input: classes.code }}
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      {!isReadOnly && pretty !== text && (
        <Button className={classes.format} variant="default" size="compact-xs" onClick={() => change(pretty)}>
          {words.editor.fields.json.format}
        </Button>
      )}
    </div>
  );
}
