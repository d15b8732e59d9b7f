import { Button, Input, NativeSelect, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { Icon } from '../../../common/icons.js';
import type { Field } from '../../../model.js';
import { words } from '../../../words.js';
import { faultOf, faultText, inputId, itemOf } from '../faults.js';
import classes from '../fields.module.css';
import { isFull } from '../hints.js';
import { entryOf, itemField } from '../registry.js';
import { frameOf, useTyped, type InputProps } from './input-props.js';
import { linesOf, readItems, textsOf, valueIndexOf } from './list-texts.js';
import { stepOf } from './moment-text.js';
import { OrderedRows } from './ordered-rows.js';

const t = words.editor.fields;

/** Values of one kind below one another. Enter adds one, and what is pasted has one on each line. */
export function ListInput(props: InputProps) {
  const { field, isReadOnly, onChange, onHold } = props;
  const item = itemField(field);
  const list = useRef<HTMLDivElement>(null);
  const [texts, setTexts, first] = useTyped(props, (value) => textsOf(value, item));
  const { id, label, description, required } = frameOf(props);
  // What keeps an item from being saved is said at the item.
  const error = faultOf(
    label,
    props.faults.filter(({ rule }) => rule !== 'held'),
  );
  const change = (next: readonly string[]) => {
    setTexts(next);
    const reading = readItems(next, item, { label: field.label, known: Array.isArray(first) ? first : [] });
    if (reading.fault === undefined) onChange(reading.value);
    else onHold(next, reading.fault);
  };
  const addBehind = (at: number) => {
    if (isFull(field, texts.length)) return;
    // The next key, however soon it comes, belongs to the new item.
    flushSync(() => setTexts([...texts.slice(0, at + 1), '', ...texts.slice(at + 1)]));
    list.current?.querySelectorAll<HTMLElement>('input, select')[at + 1]?.focus();
  };
  const nameOf = (at: number) => t.nthItem(field.label, at + 1);
  return (
    <Input.Wrapper {...{ label, description, required, error }} labelElement="div">
      <div ref={list} id={id} role="group" aria-label={field.label} className={classes.list}>
        <OrderedRows
          label={field.label}
          isReadOnly={isReadOnly}
          rows={texts.map((text, at) => ({
            key: String(at),
            name: nameOf(at),
            node: (
              <ItemInput
                item={item}
                id={inputId(`${field.name}.${valueIndexOf(texts, at)}`)}
                label={nameOf(at)}
                text={text}
                error={itemFault(props, texts, at)}
                isReadOnly={isReadOnly}
                onChange={(typed) => change(texts.map((one, place) => (place === at ? typed : one)))}
                onLines={(lines) => change([...texts.slice(0, at), ...lines, ...texts.slice(at + 1)])}
                onEnter={() => addBehind(at)}
              />
            ),
          }))}
          onOrder={(order) => change(order.map((at) => texts[at] ?? ''))}
        />
        {!isReadOnly && (
          <Button
            variant="default"
            size="compact-sm"
            className={classes.add}
            leftSection={<Icon name="plus" size={14} />}
            disabled={isFull(field, texts.length)}
            aria-label={t.addTo(field.label)}
            onClick={() => addBehind(texts.length - 1)}
          >
            {t.addItem}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  );
}

/** The fault of an item that the service, or reading it, has found. */
function itemFault({ field, faults }: InputProps, texts: readonly string[], at: number): string | undefined {
  const reading = readItems([texts[at] ?? ''], itemField(field), { label: '', known: [] });
  if (reading.fault !== undefined) return `${t.nthItem(field.label, at + 1)}: ${reading.fault}`;
  const place = valueIndexOf(texts, at);
  const fault = texts[at] === '' ? undefined : faults.find(({ field: path }) => itemOf(path) === place);
  return fault && faultText(fault, field.label);
}

interface ItemInputProps {
  readonly item: Field;
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly error: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
  readonly onLines: (lines: readonly string[]) => void;
  readonly onEnter: () => void;
}

function ItemInput({ item, id, label, text, error, isReadOnly, onChange, onLines, onEnter }: ItemInputProps) {
  const { input, html } = entryOf(item.type);
  const common = { id, error, 'aria-label': label, value: text };
  if (input === 'choice') return <ItemChoice {...common} item={item} isReadOnly={isReadOnly} onChange={onChange} />;
  const moment = input === 'moment' ? { type: 'datetime-local', step: stepOf(text) } : {};
  return (
    <TextInput
      {...common}
      {...html}
      {...moment}
      readOnly={isReadOnly}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onPaste={(event) => {
        const lines = linesOf(event.clipboardData.getData('text'));
        if (lines.length < 2 || isReadOnly) return;
        event.preventDefault();
        onLines(lines);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || isReadOnly) return;
        event.preventDefault();
        onEnter();
      }}
    />
  );
}

interface ItemChoiceProps extends Pick<ItemInputProps, 'id' | 'item' | 'isReadOnly' | 'onChange' | 'error'> {
  readonly value: string;
  readonly 'aria-label': string;
}

function ItemChoice({ item, isReadOnly, onChange, ...common }: ItemChoiceProps) {
  const { yes, no } = words.editor;
  const values = item.type === 'boolean' ? ['true', 'false'] : (item.values ?? []);
  const labels: Readonly<Record<string, string>> = item.type === 'boolean' ? { true: yes, false: no } : {};
  const all = common.value === '' || values.includes(common.value) ? values : [...values, common.value];
  return (
    <NativeSelect
      {...common}
      disabled={isReadOnly}
      data={[{ value: '', label: '–' }, ...all.map((value) => ({ value, label: labels[value] ?? value }))]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
