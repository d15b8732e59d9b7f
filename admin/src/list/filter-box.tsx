import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../common/icons.js';
import { useSingleKeys } from '../keys/use-single-keys.js';
import type { ContentType } from '../model.js';
import { words } from '../words.js';
import classes from './list.module.css';

interface FilterBoxProps {
  readonly type: ContentType;
  /** The value in the address. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Milliseconds without a key until it is looked for. */
const PAUSE = 250;

/** Looks for words. The key `/` leads here. */
export function FilterBox({ type, value, onChange }: FilterBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const change = useDebouncedCallback((next: string) => onChange(next.trim()), PAUSE);
  useSingleKeys({ '/': () => box.current?.focus() });
  // Back, or the button of an empty list, has changed the address.
  useEffect(() => setText((present) => (present.trim() === value ? present : value)), [value]);

  const write = (next: string) => {
    setText(next);
    change(next);
  };
  return (
    <TextInput
      ref={box}
      className={classes.filter}
      aria-label={words.list.filter(type.label_plural)}
      placeholder={words.list.filter(type.label_plural)}
      leftSection={<Icon name="search" size={16} />}
      rightSection={
        text === '' ? (
          <kbd className={classes.key}>/</kbd>
        ) : (
          <CloseButton aria-label={words.list.clear} size="sm" onClick={() => write('')} />
        )
      }
      value={text}
      onChange={({ currentTarget }) => write(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Escape') write('');
      }}
    />
  );
}
