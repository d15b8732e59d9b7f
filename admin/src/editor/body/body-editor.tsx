import { ActionIcon } from '@mantine/core';
import { EditorView, type Command } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { Icon, type IconName } from '../../common/icons.js';
import { words } from '../../words.js';
import classes from '../editor.module.css';
import { bodyState, prefixed, wrapped } from './markdown.js';

const t = words.editor.tools;
const TOOLS: readonly (readonly [IconName, string, Command])[] = [
  ['bold', t.bold, wrapped('**')],
  ['italic', t.italic, wrapped('*')],
  ['code', t.code, wrapped('`')],
  ['link', t.link, wrapped('[', '](https://)')],
  ['heading', t.heading, prefixed('## ')],
  ['quote', t.quote, prefixed('> ')],
  ['list', t.list, prefixed('- ')],
  ['numbers', t.numbers, prefixed('1. ')],
];

interface BodyEditorProps {
  /** The text at the beginning; another one takes another editor. */
  readonly text: string;
  readonly kind: 'markdown' | 'html' | 'text';
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** Writes the body as the text that it is. */
export function BodyEditor({ text, kind, isReadOnly, onChange }: BodyEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const tell = useRef(onChange);
  tell.current = onChange;

  useEffect(() => {
    if (!place.current) return undefined;
    const { body: label, bodyPlaceholder: hint } = words.editor;
    const state = bodyState({ text, kind, label, hint, isReadOnly, onChange: (next) => tell.current(next) });
    const made = new EditorView({ state, parent: place.current });
    view.current = made;
    return () => made.destroy();
    // The editor keeps its text itself.
  }, [kind, isReadOnly]);

  return (
    <div>
      {kind === 'markdown' && !isReadOnly && (
        <div className={classes.tools} role="toolbar" aria-label={words.editor.toolbar}>
          {TOOLS.map(([icon, label, run]) => (
            <ActionIcon
              key={icon}
              variant="subtle"
              color="gray"
              size={32}
              aria-label={label}
              title={label}
              onClick={() => view.current && run(view.current)}
            >
              <Icon name={icon} />
            </ActionIcon>
          ))}
        </div>
      )}
      <div ref={place} className={classes.body} />
    </div>
  );
}
