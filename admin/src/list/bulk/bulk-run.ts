import { sentenceOf } from '../../common/failure.js';
import { randomKey } from '../../common/random-key.js';
import { client } from '../../service.js';
import { words } from '../../words.js';
import type { BulkDone, BulkNote, BulkOrder, BulkResult } from './bulk-orders.js';

/** Records of one request: so often there is something to see of the progress. */
const PORTION = 25;

type Outcome =
  | ({ readonly ok: true } & BulkDone)
  | { readonly ok: false; readonly id: number; readonly error: string; readonly message: string };

/** Records of all orders, and how many of them are through. */
export interface BulkProgress {
  readonly through: number;
  readonly of: number;
}

/** Carries orders out one after the other. @param signal ends it before the next request */
export async function runBulk(
  type: string,
  orders: readonly BulkOrder[],
  onProgress: (progress: BulkProgress) => void,
  signal: AbortSignal,
): Promise<readonly BulkResult[]> {
  const of = orders.reduce((sum, { items }) => sum + items.length, 0);
  const results: BulkResult[] = [];
  let before = 0;
  for (const order of orders) {
    onProgress({ through: before, of });
    const start = before;
    results.push(await runOne(type, order, (through) => onProgress({ through: start + through, of }), signal));
    before += order.items.length;
  }
  return results;
}

/** @param onProgress gets how many records are through */
async function runOne(
  type: string,
  order: BulkOrder,
  onProgress: (through: number) => void,
  signal: AbortSignal,
): Promise<BulkResult> {
  const { items } = order;
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
  return { order, done, failed };
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
