import { countsOf, failuresOf, leftOf, ordersOf, undoOf, type BulkDone, type BulkResult } from './bulk-orders.js';

const done = (id: number, changed = true, status: BulkDone['was']['status'] = 'draft'): BulkDone => ({
  ...{ id, changed, version: 8 },
  was: { version: 7, status },
});

/** What became of orders for the same records. */
const results = (orders: ReturnType<typeof ordersOf>, ...outcomes: readonly BulkDone[][]): BulkResult[] =>
  orders.map((order, at) => ({ order, done: outcomes[at] ?? [], failed: [] }));

describe('Orders for many records', () => {
  it('are one, or one for each term', () => {
    const items = [{ id: 1 }, { id: 2 }];

    expect(ordersOf('publish', [1, 2])).toEqual([{ action: 'publish', items }]);
    expect(ordersOf('add_terms', [1, 2], { tag: [4, 'Moon'], topic: [9] })).toEqual([
      { action: 'add_terms', terms: { tag: [4] }, items },
      { action: 'add_terms', terms: { tag: ['Moon'] }, items },
      { action: 'add_terms', terms: { topic: [9] }, items },
    ]);
  });

  it('count each record once, and leave those that one order did not reach or could not change', () => {
    const orders = ordersOf('add_terms', [1, 2, 3], { tag: [4, 5] });
    const some = results(orders, [done(1), done(2, false), done(3, false)], [done(1), done(3, false)]);

    expect(countsOf(some)).toEqual({ changed: 1, unchanged: 1 });
    expect([...leftOf(some)]).toEqual([2]);
  });

  it('say a reason once that holds for each term', () => {
    const failed = [{ id: 1, reason: 'Not yours.' }];
    const some = ordersOf('add_terms', [1], { tag: [4, 5] }).map((order) => ({ order, done: [], failed }));

    expect(failuresOf(some)).toEqual(failed);
  });
});

describe('An undo', () => {
  it('takes a term only from records that got it', () => {
    const orders = ordersOf('add_terms', [1, 2], { tag: [4, 5] });

    expect(undoOf(results(orders, [done(1), done(2, false)], [done(1, false), done(2)]))).toEqual([
      { action: 'remove_terms', terms: { tag: [4] }, items: [{ id: 1 }] },
      { action: 'remove_terms', terms: { tag: [5] }, items: [{ id: 2 }] },
    ]);
  });

  it('gives each record the status that it had, if it is as it was left', () => {
    const some = results(ordersOf('publish', [1, 2, 3]), [done(1), done(2, true, 'archived'), done(3, false)]);

    expect(undoOf(some)).toEqual([
      { action: 'status', status: 'draft', items: [{ id: 1, version: 8 }] },
      { action: 'status', status: 'archived', items: [{ id: 2, version: 8 }] },
    ]);
  });

  it('brings back out of the trash, and never what is gone for good', () => {
    expect(undoOf(results(ordersOf('trash', [1]), [done(1)]))).toEqual([
      { action: 'restore', items: [{ id: 1, version: 8 }] },
    ]);
    expect(undoOf(results(ordersOf('delete', [1]), [{ ...done(1), version: null }]))).toEqual([]);
  });
});
