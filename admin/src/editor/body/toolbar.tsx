import { ActionIcon } from '@mantine/core';
import type { Command, EditorView } from '@codemirror/view';
import { memo } from 'react';
import { Icon, type IconName } from '../../common/icons.js';
import { words } from '../../words.js';
import classes from './body.module.css';
import { codeBlock, heading, image, link, prefixed, table, wrapped } from './writing/marks.js';

const t = words.editor.tools;
const more = words.writing.tools;

type Tool = readonly [icon: IconName, label: string, run: Command];

const TOOLS: readonly (readonly Tool[])[] = [
  [
    ['bold', t.bold, wrapped('**')],
    ['italic', t.italic, wrapped('*')],
    ['code', t.code, wrapped('`')],
    ['link', t.link, link],
  ],
  [
    ['heading', t.heading, heading],
    ['quote', t.quote, prefixed(() => '> ', /^[ \t]*>/)],
    ['list', t.list, prefixed(() => '- ', /^[ \t]*[-*+][ \t]+(?!\[[ xX]\])/)],
    ['numbers', t.numbers, prefixed((index) => `${index + 1}. `, /^[ \t]*\d{1,9}[.)][ \t]/)],
    ['task', more.task, prefixed(() => '- [ ] ', /^[ \t]*[-*+][ \t]+\[[ xX]\]/)],
  ],
  [
    ['codeBlock', more.codeBlock, codeBlock],
    ['table', more.table, table],
    ['image', more.image, image],
  ],
];

/** Marks of Markdown at a press. It scrolls within itself where it is too long, and is not drawn anew at each key. */
export const Toolbar = memo(function Toolbar({ view }: { readonly view: EditorView | null }) {
  return (
    <div className={classes.tools} role="toolbar" aria-label={words.editor.toolbar}>
      {TOOLS.map((group, index) => (
        <div key={index} className={classes.group}>
          {group.map(([icon, label, run]) => (
            <ActionIcon
              key={icon}
              variant="subtle"
              color="gray"
              className={classes.tool}
              aria-label={label}
              title={label}
              onClick={() => view && run(view)}
            >
              <Icon name={icon} />
            </ActionIcon>
          ))}
        </div>
      ))}
    </div>
  );
});
