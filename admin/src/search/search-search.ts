import { listSearch } from '../list/list-search.js';
import { STATUSES, type Status } from '../model.js';

/** The content of the page of a search: all of it stands in the address. */
export interface SearchSearch {
  /** Words to look for; empty: nothing is looked for yet. */
  readonly q: string;
  /** Name of a content type; left out: all. */
  readonly type?: string;
  readonly status?: Status;
  /** From 1 on. */
  readonly page: number;
}

/** Reads what stands in an address. What makes no sense there is as good as left out. */
export function searchSearch(address: Readonly<Record<string, unknown>>): SearchSearch {
  const { q, page } = listSearch({ q: address.q, page: address.page });
  const { type } = address;
  const status = STATUSES.find((one) => one === address.status);
  return { q, page, ...(typeof type === 'string' && type !== '' && { type }), ...(status && { status }) };
}
