import { counted } from '../common/counted.js';

const records = (n: number) => counted(n, 'record', 'records');

/** Texts of the screen of a taxonomy. */
export const taxonomyWords = {
  group: 'Taxonomies',
  failed: 'The terms could not be loaded',
  total: (n: number) => counted(n, 'term', 'terms'),
  found: (n: number) => `${counted(n, 'term', 'terms')} found`,
  search: 'Search terms',
  clear: 'Clear the search',
  create: 'New term',
  openAll: 'Open all',
  closeAll: 'Close all',
  columns: { name: 'Name', slug: 'Slug', records: 'Records', actions: 'Actions' },
  open: (name: string) => `Open ${name}`,
  close: (name: string) => `Close ${name}`,
  uses: (n: number) => records(n),
  usesOf: (name: string, n: number) => `${records(n)} with ${name}`,
  actions: (name: string) => `Actions of ${name}`,
  more: (n: number) => `Show ${n.toLocaleString('en')} more`,
  tooMany: (n: number) => `The first ${n.toLocaleString('en')} are shown. The search finds all of them.`,
  another: 'Choose another one',
  keys: 'Arrows walk and open · Enter or F2 renames · M moves · Alt Shift → and ← move a level down and up · Del deletes',
  empty: 'No terms yet',
  emptyText: 'Terms order records. Make the first one here, or while you write.',
  emptyReader: 'As soon as there are terms, you see them here.',
  noHits: 'No term has such a name',
  toTop: 'Drop it here to move it to the top level',
  menu: {
    create: 'New term below …',
    rename: 'Rename …',
    move: 'Move to …',
    merge: 'Merge into …',
    remove: 'Delete …',
  },
  form: {
    create: 'New term',
    createBelow: (name: string) => `New term below ${name}`,
    rename: (name: string) => `Rename ${name}`,
    name: 'Name',
    slug: 'Slug',
    slugMade: 'Names it in addresses. Made from the name if it is empty.',
    slugStays: 'Names it in addresses: links with the present one find nothing any more.',
    save: 'Save',
    add: 'Create',
  },
  move: {
    title: (name: string) => `Move ${name}`,
    pick: 'Move it below',
    hint: 'Search for a term …',
    below: (name: string) => `Move below ${name}`,
    top: 'Move to the top level',
    within: 'A term cannot stand below itself, nor below one that it holds.',
  },
  merge: {
    title: (name: string) => `Merge ${name} into another term`,
    pick: 'Merge it into',
    counts: (name: string, n: number, into: string, m: number) =>
      `${name} has ${records(n)}, ${into} has ${records(m)}.`,
    below: (n: number) => `${counted(n, 'term', 'terms')} below it move along.`,
    text: (name: string, into: string) =>
      `All records with ${name} get ${into}, and ${name} is gone. This cannot be undone.`,
    do: (into: string) => `Merge into ${into}`,
  },
  remove: {
    title: (name: string) => `Delete ${name}`,
    isHeld: (n: number) => `${n === 0 ? 'Records that you do not see' : records(n)} will lose it.`,
    children: (n: number, parent: string | undefined) =>
      `${counted(n, 'term', 'terms')} below it will stand ${parent === undefined ? 'at the top level' : `below ${parent}`}.`,
    final: 'This cannot be undone.',
    do: 'Delete',
  },
  done: {
    created: (name: string) => `${name} is created`,
    changed: (name: string) => `${name} is saved`,
    moved: (name: string, parent: string | undefined) =>
      parent === undefined ? `${name} is at the top level` : `${name} is below ${parent}`,
    merged: (name: string, into: string) => `${name} is part of ${into}`,
    removed: (name: string) => `${name} is deleted`,
    undone: 'It is as it was before.',
  },
} as const;
