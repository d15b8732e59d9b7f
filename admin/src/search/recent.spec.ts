import { recentFirst, withRecent } from './recent.js';

const opened = (id: number, type = 'post') => ({ type, id, title: `${type} ${id}` });

describe('Records opened before', () => {
  it('have the last one first, once, with its present title', () => {
    const kept = [opened(1), opened(2)];

    expect(withRecent(kept, { ...opened(2), title: 'New' })).toEqual([{ ...opened(2), title: 'New' }, opened(1)]);
  });

  it('are those of several types', () => {
    expect(withRecent([opened(1)], opened(1, 'page'))).toEqual([opened(1, 'page'), opened(1)]);
  });

  it('are eight at most', () => {
    const kept = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => opened(id));

    expect(withRecent(kept, opened(9)).map(({ id }) => id)).toEqual([9, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('come first among hits, which stay in their order otherwise', () => {
    const hits = [opened(1), opened(2), opened(3), opened(4)];

    expect(recentFirst(hits, [opened(4), opened(9), opened(2)]).map(({ id }) => id)).toEqual([4, 2, 1, 3]);
  });
});
