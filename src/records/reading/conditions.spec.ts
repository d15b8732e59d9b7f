import { behind, type OrderColumn } from './conditions.js';

const column = (expression: string, isDescending: boolean, isNullable = false): OrderColumn => ({
  expression,
  isDescending,
  isNullable,
});

describe('behind', () => {
  it('starts an index range at the first column and breaks ties by the next', () => {
    const { text, values } = behind([column('r.created_at', true), column('r.id', true)], [900, 7]);

    expect(text).toBe('r.created_at <= ? AND ((r.created_at < ?) OR (r.created_at = ? AND r.id < ?))');
    expect(values).toEqual([900, 900, 900, 7]);
  });

  it('lets rows without a value come last when descending', () => {
    const { text } = behind([column('s0.num', true, true), column('r.id', true)], [4, 7]);

    expect(text).toBe('(((s0.num < ? OR s0.num IS NULL)) OR (s0.num = ? AND r.id < ?))');
  });

  it('goes on among rows without a value, and behind them when ascending', () => {
    const descending = behind([column('s0.num', true, true), column('r.id', true)], [null, 7]);
    const ascending = behind([column('s0.num', false, true), column('r.id', false)], [null, 7]);

    expect(descending.text).toBe('((s0.num IS NULL AND r.id < ?))');
    expect(ascending.text).toBe('((s0.num IS NOT NULL) OR (s0.num IS NULL AND r.id > ?))');
  });
});
