import { counted } from '../../common/counted.js';

/** Texts beside a body. */
export const writingWords = {
  task: 'Task',
  image: (name: string) => (name === '' ? 'Image without an address' : `Image: ${name}`),
  noPreview: 'The preview could not be loaded',
  minutes: (n: number) => `${counted(n, 'minute', 'minutes')} to read`,
  find: {
    label: 'Find and replace',
    text: 'Find',
    replacement: 'Replace with',
    replace: 'Replace',
    replaceAll: 'All',
    caseSensitive: 'Match case',
    previous: 'Previous (Shift Enter)',
    next: 'Next (Enter)',
    close: 'Close (Esc)',
    none: 'Not found',
    many: (n: number) => `more than ${n.toLocaleString('en')}`,
    total: (all: string) => `${all} found`,
    at: (n: number, all: string) => `${n} of ${all}`,
  },
  paste: {
    said: 'Pasted as plain text.',
    asMarkdown: 'Paste as Markdown',
    asText: 'Keep the text',
  },
  modes: {
    label: 'View of the body',
    write: 'Write',
    markdown: 'Markdown',
    html: 'HTML',
    preview: 'Preview',
    previewKey: 'Ctrl Alt P',
  },
  tools: { task: 'Task list', codeBlock: 'Code block', table: 'Table', image: 'Image' },
} as const;
