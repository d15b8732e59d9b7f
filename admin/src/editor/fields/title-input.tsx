import { useLayoutEffect, useRef } from 'react';
import { isBelowDialog } from '../../keys/single-keys.js';
import { words } from '../../words.js';
import classes from '../editor.module.css';
import { inputId } from './faults.js';

const FAULT = 'fault-title';

interface TitleInputProps {
  readonly value: string;
  readonly isNew: boolean;
  readonly isReadOnly: boolean;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The title, as large as a reader sees it, over as many lines as it needs. */
export function TitleInput({ value, isNew, isReadOnly, fault, onChange }: TitleInputProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (!box.current) return;
    box.current.style.height = '0';
    box.current.style.height = `${box.current.scrollHeight}px`;
  }, [value]);
  return (
    <>
      <textarea
        ref={box}
        rows={1}
        className={classes.title}
        id={inputId('title')}
        aria-label={words.editor.title}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : FAULT}
        placeholder={words.editor.untitled}
        // A page that arrives below a dialog leaves the focus there.
        autoFocus={isNew && !isBelowDialog()}
        readOnly={isReadOnly}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value.replaceAll('\n', ' '))}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
        }}
      />
      {fault !== undefined && (
        <p id={FAULT} className={classes.fault}>
          {fault}
        </p>
      )}
    </>
  );
}
