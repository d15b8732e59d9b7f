import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Field } from '../../model.js';
import { words } from '../../words.js';
import { inputText, valueOfText } from './field-text.js';
import classes from '../editor.module.css';
import { ShownValue } from './shown-value.js';

interface FieldInputProps {
  readonly field: Field;
  readonly value: unknown;
  /** What is wrong with the value; `undefined`: nothing. */
  readonly fault: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (value: unknown) => void;
}

/** Kinds of fields that are one line of text, by the input that suits them. */
const INPUTS: Readonly<Record<string, string>> = {
  string: 'text',
  email: 'email',
  url: 'url',
  integer: 'text',
  number: 'text',
  date: 'date',
  datetime: 'datetime-local',
};
const LONG = new Set(['text', 'markdown', 'html']);

/** The input of a field, by its kind. Kinds that need more than a line are shown, and not edited yet. */
export function FieldInput(props: FieldInputProps) {
  const { field } = props;
  if (LONG.has(field.type)) return <LongInput {...props} />;
  if (field.type === 'enum') return <Choice {...props} options={field.values ?? []} />;
  if (field.type === 'boolean') return <Choice {...props} options={['true', 'false']} />;
  if (field.type in INPUTS) return <LineInput {...props} />;
  return <ShownField {...props} />;
}

function common({ field, fault, isReadOnly }: FieldInputProps) {
  return {
    label: field.label,
    description: field.description === '' ? undefined : field.description,
    required: field.required,
    error: fault,
    readOnly: isReadOnly,
  };
}

/** What cannot be a value stays in the input, with the reason, and is not sent. */
function LineInput(props: FieldInputProps) {
  const { field, value, fault, onChange } = props;
  const [text, setText] = useState(() => inputText(field.type, value));
  const parsed = valueOfText(field.type, text);
  return (
    <TextInput
      {...common(props)}
      type={INPUTS[field.type]}
      inputMode={field.type === 'integer' ? 'numeric' : undefined}
      error={parsed.isValid ? fault : words.editor.mustBeNumber}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        const next = valueOfText(field.type, currentTarget.value);
        if (next.isValid) onChange(next.value);
      }}
    />
  );
}

function LongInput(props: FieldInputProps) {
  const { field, value, onChange } = props;
  return (
    <Textarea
      {...common(props)}
      autosize
      minRows={2}
      maxRows={12}
      value={inputText(field.type, value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    />
  );
}

function Choice(props: FieldInputProps & { readonly options: readonly string[] }) {
  const { field, value, isReadOnly, options, onChange } = props;
  const labels: Readonly<Record<string, string>> =
    field.type === 'boolean' ? { true: words.editor.yes, false: words.editor.no } : {};
  return (
    <NativeSelect
      {...common(props)}
      disabled={isReadOnly}
      value={inputText(field.type, value)}
      data={[
        { value: '', label: '–' },
        ...options.map((option) => ({ value: option, label: labels[option] ?? option })),
      ]}
      onChange={({ currentTarget }) => onChange(valueOfText(field.type, currentTarget.value).value)}
    />
  );
}

function ShownField({ field, value, fault }: FieldInputProps) {
  const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  return (
    <div>
      <div className={classes.label}>{field.label}</div>
      <div className={classes.shown} title={words.editor.later}>
        {isEmpty ? words.editor.nothing : <ShownValue value={value} />}
      </div>
      {fault !== undefined && <p className={classes.fault}>{fault}</p>}
    </div>
  );
}
