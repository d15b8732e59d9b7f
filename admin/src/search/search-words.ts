import { counted } from '../common/counted.js';

/** Texts of the palette and of the page of a search. */
export const searchWords = {
  open: 'Search or go to',
  palette: 'Search and commands',
  box: 'Search or type a command',
  groups: {
    open: 'This record',
    recent: 'Opened before',
    records: 'Records',
    go: 'Go to',
    create: 'Create',
    search: 'Search',
  },
  trashOf: (plural: string) => `Trash of ${plural}`,
  search: 'Search all content',
  allResults: (q: string) => `All results for “${q}”`,
  nothing: 'Nothing found',
  noRecord: 'No record has these words.',
  choices: (n: number) => counted(n, 'choice', 'choices'),
  title: 'Search',
  wordsBox: 'Search all content',
  types: 'Types',
  ask: 'Search everything',
  askText: 'Type a few words. They are found in titles, terms, bodies and fields of all content that you may read.',
  suggestion: (q: string) => `Search for “${q}”`,
  failed: 'The search did not work',
} as const;
