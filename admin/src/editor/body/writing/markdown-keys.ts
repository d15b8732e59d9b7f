import { keymap } from '@codemirror/view';
import { continueList } from './continue-list.js';
import { indentItems, outdentItems } from './indent-list.js';
import { link, wrapped } from './marks.js';
import { toggleTaskHere } from './tasks.js';

/** Keys of a text with marks. After Esc, the next Tab leaves the editor, as the library has it. */
export const markdownKeys = keymap.of([
  { key: 'Enter', run: continueList },
  { key: 'Tab', run: indentItems, shift: outdentItems },
  { key: 'Mod-b', run: wrapped('**') },
  { key: 'Mod-i', run: wrapped('*') },
  { key: 'Mod-e', run: wrapped('`') },
  { key: 'Mod-Shift-k', run: link },
  { key: 'Alt-Enter', run: toggleTaskHere },
]);
