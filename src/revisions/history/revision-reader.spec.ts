import { SERVICE } from '../../common/access/caller.js';
import type { Reads } from '../../database/statements/reads.js';
import { RevisionReader, type HistoryPage } from './revision-reader.js';

const HISTORY = { caller: SERVICE, recordId: 1, statuses: ['draft'] } as const;

/** A page of a history that had `counted` revisions when they were counted, and `stored` when they were read. */
function pageOf({
  page,
  counted,
  stored,
}: Readonly<Record<'page' | 'counted' | 'stored', number>>): Promise<HistoryPage> {
  const rows = Array.from({ length: stored }, (_, at) => ({ ts: stored - at, version: stored - at }));
  const reads = {
    of: () => reads,
    select: (sql: string) => {
      const [, limit, offset] = /LIMIT (\d+) OFFSET (\d+)/.exec(sql) ?? [];
      if (limit === undefined) return Promise.resolve([{ n: counted, newest: counted }]);
      return Promise.resolve(rows.slice(Number(offset), Number(offset) + Number(limit)));
    },
  };
  return new RevisionReader(reads as unknown as Reads).page(HISTORY, { page, perPage: 15 });
}

describe('RevisionReader', () => {
  it.each([
    [1, 3, 3, 3, 3, 3],
    [1, 3, 5, 5, 5, 5],
    [1, 15, 16, 15, 16, 16],
    [2, 15, 17, 2, 17, 15],
    [2, 20, 14, 0, 20, 20],
  ])('on page %i of %i counted and %i read shows %i, a total of %i and %i as the newest', async (page, ...expected) => {
    const [counted, stored, shown, total, newest] = expected;

    const answer = await pageOf({ page, counted, stored });

    expect([answer.rows.length, answer.total, answer.newest]).toEqual([shown, total, newest]);
  });
});
