/** Every key of the console, and what is said about them. */
export const keyWords = {
  title: 'Keys',
  single: 'Keys without Ctrl',
  singleHint: 'They are off while you type. Switched off, they do nothing anywhere on this device.',
  groups: [
    {
      name: 'Everywhere',
      isSingle: true,
      keys: [
        ['?', 'This sheet'],
        ['g c', 'Go to the content'],
      ],
    },
    {
      name: 'Search and commands',
      isSingle: false,
      keys: [['Ctrl K', 'Go to, create, find a record']],
    },
    {
      name: 'List',
      isSingle: true,
      keys: [
        ['/', 'Search'],
        ['n', 'New record'],
        ['j', 'Next row'],
        ['k', 'Previous row'],
        ['x', 'Select the row'],
        ['Enter', 'Open the row'],
        ['Esc', 'Clear the selection'],
      ],
    },
    {
      name: 'Record',
      isSingle: false,
      keys: [
        ['Ctrl S', 'Save, and keep a revision of a draft'],
        ['Ctrl Shift Enter', 'Publish'],
        ['Ctrl Alt P', 'Preview, and back'],
        ['Ctrl Alt H', 'History'],
        ['F7', 'Next change of a merge or of a version'],
        ['Shift F7', 'Previous change'],
      ],
    },
    {
      name: 'Terms',
      isSingle: false,
      keys: [
        ['F2', 'Rename, as Enter does'],
        ['m', 'Move to another place'],
        ['Alt Shift →', 'Move a level down'],
        ['Alt Shift ←', 'Move a level up'],
        ['Del', 'Delete'],
      ],
    },
    {
      name: 'History',
      isSingle: true,
      keys: [
        ['[', 'Older version'],
        [']', 'Newer version'],
      ],
    },
    {
      name: 'Body',
      isSingle: false,
      keys: [
        ['Ctrl B', 'Bold'],
        ['Ctrl I', 'Italic'],
        ['Ctrl E', 'Code'],
        ['Ctrl Shift K', 'Link'],
        ['Ctrl F', 'Find and replace'],
        ['Alt Enter', 'Task done, or not'],
        ['Tab', 'Indent an item of a list'],
        ['Shift Tab', 'Outdent it'],
        ['Esc Tab', 'Leave the body'],
        ['Ctrl Click', 'Open a link'],
        ['Ctrl Z', 'Take back'],
      ],
    },
  ],
} as const;
