import { STATUSES, type Status } from '../model.js';

/** Keys by which a list can be sorted. */
const SORT_KEYS = ['title', 'updated_at', 'published_at'] as const;
export type SortKey = (typeof SORT_KEYS)[number];
/** Limits of a list. */
export type Shown = Status | 'trash';
export type Sort = SortKey | `-${SortKey}`;

/** The content of a list: all of it stands in the address, so that Back, reload and a link lead to the same rows. */
export interface ListSearch {
  /** Words to look for; empty: all records. */
  readonly q: string;
  readonly status?: Shown;
  /** A term that the records have: name of its taxonomy and its id, `tag:12`. */
  readonly term?: string;
  readonly sort: Sort;
  /** From 1 on. */
  readonly page: number;
}

/** Values that an address leaves out. */
export const USUAL: ListSearch = { q: '', sort: '-updated_at', page: 1 };

const MAX_WORDS = 256;

/** Reads what stands in an address. What makes no sense there is as good as left out. */
export function listSearch({ q, status, term, sort, page }: Readonly<Record<string, unknown>>): ListSearch {
  const known = [...STATUSES, 'trash' as const].find((one) => one === status);
  return {
    ...soughtOf(q, term, known === 'trash'),
    ...(known ? { status: known } : {}),
    sort: isSort(sort) ? sort : USUAL.sort,
    page: Number.isSafeInteger(page) && Number(page) > 0 ? Number(page) : USUAL.page,
  };
}

/** Words, or a term: the search of the service knows no terms. In the trash nothing is looked for. */
function soughtOf(q: unknown, term: unknown, isTrash: boolean): Pick<ListSearch, 'q' | 'term'> {
  if (isTrash) return { q: USUAL.q };
  const words = typeof q === 'string' || typeof q === 'number' ? String(q).slice(0, MAX_WORDS) : USUAL.q;
  const isBlank = words.trim() === '';
  if (!isBlank) return { q: words };
  return termOf(term) ? { q: USUAL.q, term: String(term) } : { q: USUAL.q };
}

/** A term of an address by its taxonomy and its id; `null`: it is none. */
export function termOf(term: unknown): { readonly taxonomy: string; readonly id: number } | null {
  const [, taxonomy, id] = /^([a-z][a-z0-9_]*):([1-9]\d{0,14})$/.exec(typeof term === 'string' ? term : '') ?? [];
  return taxonomy === undefined ? null : { taxonomy, id: Number(id) };
}

/** The order after a click on the head of a column: the other direction of the present one, or the usual one of the column. */
export function nextSort(present: Sort, key: SortKey): Sort {
  if (present === key) return `-${key}`;
  if (present === `-${key}`) return key;
  return key === 'title' ? key : `-${key}`;
}

function isSort(value: unknown): value is Sort {
  return typeof value === 'string' && SORT_KEYS.some((key) => value.replace(/^-/, '') === key);
}
