import type { Status } from '../../model.js';
import { words } from '../../words.js';

/** Records that can be selected. */
export const MOST_SELECTED = 1_000;

export type BulkAction =
  'publish' | 'unpublish' | 'archive' | 'status' | 'trash' | 'restore' | 'delete' | 'add_terms' | 'remove_terms';

/** Terms by taxonomy: ids, and names of tags that are made when a record gets them. */
export type ChosenTerms = Readonly<Record<string, readonly (number | string)[]>>;

/** An action on records. */
export interface BulkOrder {
  readonly action: BulkAction;
  /** The status for the action `status`. */
  readonly status?: Status;
  /** The terms for the actions `add_terms` and `remove_terms`. */
  readonly terms?: ChosenTerms;
  readonly items: readonly { readonly id: number; readonly version?: number }[];
}

/** The outcome for a record. */
export interface BulkDone {
  readonly id: number;
  readonly changed: boolean;
  readonly version: number | null;
  readonly was: { readonly version: number; readonly status: Status };
  /** Values that it lost on its way out of the trash. */
  readonly skipped?: readonly { readonly field: string; readonly reason: 'value_taken' | 'required' }[];
}

/** A record, and what people have to know about it. */
export interface BulkNote {
  readonly id: number;
  readonly reason: string;
}

/** The outcome for the records of an order; records whose turn never came are in neither list. */
export interface BulkResult {
  readonly order: BulkOrder;
  readonly done: readonly BulkDone[];
  readonly failed: readonly BulkNote[];
}

/** Orders for an action. Terms have one each, so that what has changed says which records got or lost the term. */
export function ordersOf(action: BulkAction, ids: readonly number[], terms?: ChosenTerms): readonly BulkOrder[] {
  const items = ids.map((id) => ({ id }));
  if (!terms) return [{ action, items }];
  return Object.entries(terms).flatMap(([taxonomy, some]) =>
    some.map((term) => ({ action, terms: { [taxonomy]: [term] }, items })),
  );
}

/** Ids of records with which an order did not work, or which it did not reach. */
export function leftOf(results: readonly BulkResult[]): ReadonlySet<number> {
  return new Set(
    results.flatMap(({ order, done }) => {
      const through = new Set(done.map(({ id }) => id));
      return order.items.map(({ id }) => id).filter((id) => !through.has(id));
    }),
  );
}

/** The number of changed records, and of those that had nothing to change, without records that failed in another order. */
export function countsOf(results: readonly BulkResult[]): { readonly changed: number; readonly unchanged: number } {
  const done = results.flatMap((result) => result.done);
  const changed = new Set(done.filter((one) => one.changed).map(({ id }) => id));
  const left = leftOf(results);
  const through = new Set(done.map(({ id }) => id).filter((id) => changed.has(id) || !left.has(id)));
  return { changed: changed.size, unchanged: through.size - changed.size };
}

const OPPOSITES: Partial<Record<BulkAction, BulkAction>> = {
  trash: 'restore',
  restore: 'trash',
  add_terms: 'remove_terms',
  remove_terms: 'add_terms',
};

/** Orders that take back what was done: none, if nothing was changed. */
export function undoOf(results: readonly BulkResult[]): readonly BulkOrder[] {
  return results.flatMap(({ order, done }) =>
    undoOfOne(
      order,
      done.filter(({ changed }) => changed),
    ),
  );
}

function undoOfOne({ action, terms }: BulkOrder, changed: readonly BulkDone[]): readonly BulkOrder[] {
  if (changed.length === 0 || action === 'delete') return [];
  const opposite = OPPOSITES[action];
  // Whatever others have written since, a term comes and goes alone.
  if (opposite && terms) return [{ action: opposite, terms, items: changed.map(({ id }) => ({ id })) }];
  if (opposite) return [{ action: opposite, items: asTheyAre(changed) }];
  const statuses = [...new Set(changed.map(({ was }) => was.status))];
  return statuses.map((status) => ({
    action: 'status',
    status,
    items: asTheyAre(changed.filter(({ was }) => was.status === status)),
  }));
}

/** Items of records as they were left: those that others have written since stay as they are. */
function asTheyAre(done: readonly BulkDone[]): BulkOrder['items'] {
  return done.flatMap(({ id, version }) => (version === null ? [] : [{ id, version }]));
}

/** Failures without those that are the same for several orders. */
export function failuresOf(results: readonly BulkResult[]): readonly BulkNote[] {
  const all = results.flatMap(({ failed }) => failed);
  return [...new Map(all.map((note) => [`${note.id} ${note.reason}`, note])).values()];
}

/** Records that came back out of the trash with changes. */
export function changedOnTheWay(results: readonly BulkResult[]): readonly BulkNote[] {
  return results
    .flatMap(({ done }) => done)
    .flatMap(({ id, skipped = [] }) =>
      skipped.map(({ field, reason }) => ({ id, reason: words.list.bulk.skipped[reason](field) })),
    );
}
