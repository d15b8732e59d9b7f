import { sentenceOf } from '../../common/failure.js';
import { randomKey } from '../../common/random-key.js';
import type { Status } from '../../model.js';
import { client } from '../../service.js';
import { words } from '../../words.js';

/** Records that can be selected. */
export const MOST_SELECTED = 1_000;
/** Records of one request: so often there is something to see of the progress. */
const PORTION = 25;

export type BulkAction = 'publish' | 'unpublish' | 'archive' | 'status' | 'trash' | 'restore' | 'delete';

/** What is done with records. */
export interface BulkOrder {
  readonly action: BulkAction;
  /** Of `status`. */
  readonly status?: Status;
  readonly items: readonly { readonly id: number; readonly version?: number }[];
}

/** What became of a record. */
export interface BulkDone {
  readonly id: number;
  readonly changed: boolean;
  readonly version: number | null;
  readonly was: { readonly version: number; readonly status: Status };
  /** What it came back out of the trash without. */
  readonly skipped?: readonly { readonly field: string; readonly reason: 'value_taken' | 'required' }[];
}

/** A record, and what people have to know about it. */
export interface BulkNote {
  readonly id: number;
  readonly reason: string;
}

/** What became of all of them; what was stopped before its turn is in neither list. */
export interface BulkResult {
  readonly done: readonly BulkDone[];
  readonly failed: readonly BulkNote[];
}

type Outcome =
  | ({ readonly ok: true } & BulkDone)
  | { readonly ok: false; readonly id: number; readonly error: string; readonly message: string };

/**
 * Does something with records, some at a time.
 *
 * @param onProgress gets how many are through
 * @param signal ends it before the next request
 */
export async function runBulk(
  type: string,
  { items, ...order }: BulkOrder,
  onProgress: (through: number) => void,
  signal: AbortSignal,
): Promise<BulkResult> {
  const done: BulkDone[] = [];
  const failed: BulkNote[] = [];
  for (let start = 0; start < items.length && !signal.aborted; start += PORTION) {
    const portion = items.slice(start, start + PORTION);
    for (const outcome of await outcomesOf(type, { ...order, items: portion })) {
      if (outcome.ok) done.push(outcome);
      else failed.push({ id: outcome.id, reason: words.failed[outcome.error] ?? outcome.message });
    }
    onProgress(Math.min(start + PORTION, items.length));
  }
  return { done, failed };
}

async function outcomesOf(type: string, order: BulkOrder): Promise<readonly Outcome[]> {
  try {
    const answer = await client.request('POST', `/api/cms/${type}/-/bulk`, {
      body: order,
      idempotencyKey: randomKey(),
    });
    return (answer as { readonly data: readonly Outcome[] }).data;
  } catch (error) {
    const message = sentenceOf(error);
    return order.items.map(({ id }) => ({ ok: false, id, error: '', message }));
  }
}

const OPPOSITES: Partial<Record<BulkAction, BulkAction>> = { trash: 'restore', restore: 'trash' };

/** Orders that take back what was done: none, if nothing was changed. Records that others have written since stay as they are. */
export function undoOf(action: BulkAction, done: readonly BulkDone[]): readonly BulkOrder[] {
  const changed = done.filter((one) => one.changed);
  const items = (some: readonly BulkDone[]) =>
    some.flatMap(({ id, version }) => (version === null ? [] : [{ id, version }]));
  const opposite = OPPOSITES[action];
  if (opposite) return changed.length === 0 ? [] : [{ action: opposite, items: items(changed) }];
  if (action === 'delete') return [];
  const statuses = [...new Set(changed.map(({ was }) => was.status))];
  return statuses.map((status) => ({
    action: 'status',
    status,
    items: items(changed.filter(({ was }) => was.status === status)),
  }));
}

/** What came back out of the trash otherwise than it went there. */
export function changedOnTheWay(done: readonly BulkDone[]): readonly BulkNote[] {
  return done.flatMap(({ id, skipped = [] }) =>
    skipped.map(({ field, reason }) => ({ id, reason: words.list.bulk.skipped[reason](field) })),
  );
}
