import { SERVICE } from '../../common/access/caller.js';
import { compileType } from '../../content-types/definition/compiled-type.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import type { Reads } from '../../database/statements/reads.js';
import { browseQuery } from './browse-query.js';
import { ListReader, type RowPage } from './list-reader.js';
import { ListStatements } from './list-statements.js';
import type { RecordCounts } from '../counting/record-counts.js';
import { NARROW_ROWS } from '../rows/record-row.js';

const note = compileType({
  id: 3,
  name: 'note',
  label: 'Note',
  label_plural: 'Notes',
  description: '',
  taxonomies: [],
  url_path: '/note/{slug}',
  sitemap: true,
  body: 'markdown',
  revisions: { keep: 100 },
  fields: [],
  version: 1,
  created_at: 0,
  updated_at: 0,
});

/** A page of a list that had `counted` records when they were counted, and `stored` when they were read. */
function pageOf({ counted, stored, page = 1 }: { counted: number; stored: number; page?: number }): Promise<RowPage> {
  const rows = Array.from({ length: stored }, (_, at) => ({ id: at + 1, o0: 1_000 + at, o1: at + 1 }));
  const reads = {
    of: () => reads,
    select: (_sql: string, values: readonly number[]) => {
      const [limit = 0, offset = 0] = values.slice(-2);
      return Promise.resolve(rows.slice(offset, offset + limit));
    },
  };
  const counts = { total: () => Promise.resolve(counted) };
  const reader = new ListReader(
    reads as unknown as Reads,
    new ListStatements(reads as unknown as Reads, counts as unknown as RecordCounts),
    counts as unknown as RecordCounts,
    { orderedJoin: 'JOIN' } as Dialect,
  );
  const scope = { type: note, statuses: ['draft'], isTrash: false, caller: SERVICE } as const;
  return reader.page(scope, browseQuery(note, new URLSearchParams(`sort=created_at&page=${page}`)), NARROW_ROWS);
}

describe('ListReader', () => {
  it.each([
    [15, 15, false],
    [16, 16, true],
    [15, 16, true],
    [20, 10, false],
    [3, 0, false],
  ])('of %i records counted and %i read has a next page: %s', async (counted, stored, hasNext) => {
    const { rows, next } = await pageOf({ counted, stored });

    expect(rows).toHaveLength(Math.min(stored, 15));
    expect(next !== null).toBe(hasNext);
  });

  it.each([
    [1, 15, 15, 15, 15],
    [1, 4, 6, 6, 6],
    [1, 15, 16, 15, 16],
    [1, 14, 40, 15, 16],
    [2, 30, 32, 15, 31],
    [2, 40, 22, 7, 40],
    [9, 20, 20, 0, 20],
  ])('on page %i of %i records counted and %i read has %i rows and a total of %i', async (page, ...expected) => {
    const [counted, stored, shown, total] = expected;

    const answer = await pageOf({ page, counted, stored });

    expect([answer.rows.length, answer.total]).toEqual([shown, total]);
  });
});
