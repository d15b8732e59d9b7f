import { SERVICE } from '../../common/access/caller.js';
import { compileType } from '../../content-types/definition/compiled-type.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import type { Reads } from '../../database/statements/reads.js';
import { browseQuery } from './browse-query.js';
import { ListReader, type RowPage, ListStatements } from './list-reader.js';
import type { RecordCounts } from '../counting/record-counts.js';
import { NARROW_ROWS } from '../rows/record-row.js';
import type { Status } from '../../content-types/definition/content-type.js';
import type { Field } from '../../content-types/kinds/field.js';

const field = (key: number, name: string, type: Field['type']): Field => ({
  key,
  id: `f_${key}`,
  name,
  type,
  label: name,
  required: false,
  unique: false,
  indexed: true,
  searchable: false,
});

const note = compileType({
  id: 3,
  name: 'note',
  label: 'Note',
  label_plural: 'Notes',
  description: '',
  taxonomies: ['topic'],
  url_path: '/note/{slug}',
  sitemap: true,
  body: 'markdown',
  revisions: { keep: 100 },
  fields: [field(1, 'rating', 'integer'), field(2, 'code', 'string')],
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

interface Case {
  readonly query: string;
  readonly statuses?: readonly Status[];
  readonly isTrash?: boolean;
  /** Records of each status. */
  readonly each?: number;
  /** Rows of the side index that a filter matches. */
  readonly matches?: number;
  readonly isServer?: boolean;
}

const ALL: readonly Status[] = ['draft', 'published', 'archived'];

/** Which statements of a list are run where: `count here`, `page apart`. */
async function placesOf({ query, statuses = ALL, isTrash = false, each = 100_000, ...more }: Case): Promise<string[]> {
  const { matches = 1_000_000, isServer = false } = more;
  const places: string[] = [];
  const noting = (place: string) => (sql: string) => {
    if (sql.includes('probe')) return Promise.resolve([{ place: 0, n: matches }]);
    places.push(`${sql.startsWith('SELECT COUNT') ? 'count' : 'page'} ${place}`);
    return Promise.resolve(sql.startsWith('SELECT COUNT') ? [{ n: each }] : []);
  };
  const here = { select: noting('here') };
  const reads = {
    ...here,
    holdsUpRequests: !isServer,
    selectLong: noting('apart'),
    of: () => here,
  } as unknown as Reads;
  const counts = { total: (_: number, of: readonly Status[]) => Promise.resolve(each * of.length) };
  const statements = new ListStatements(reads, counts as unknown as RecordCounts);
  const lists = new ListReader(
    reads,
    statements,
    counts as unknown as RecordCounts,
    { orderedJoin: 'CROSS JOIN' } as Dialect,
  );
  const scope = { type: note, statuses, isTrash, caller: SERVICE };
  await lists.page(scope, browseQuery(note, new URLSearchParams(query)), NARROW_ROWS);
  return places;
}

describe('ListStatements', () => {
  it.each<[string, Case]>([
    ['the newest', { query: '' }],
    ['what is published, the newest first', { query: '', statuses: ['published'] }],
    ['what is published, by that time', { query: 'sort=-published_at', statuses: ['published'] }],
    ['a page by title', { query: 'sort=title&page=300' }],
    ['a page by a field', { query: 'sort=-rating&page=300' }],
    ['a small type by anything', { query: 'sort=version', each: 1_600 }],
  ])('reads %s in the thread of requests', async (_, list) => {
    expect(await placesOf(list)).toEqual(['page here']);
  });

  it.each<[string, Case]>([
    ['a page deep in the newest', { query: 'page=5000' }],
    ['a page by title that is far in', { query: 'sort=title&page=400' }],
    ['a page by a field that is far in', { query: 'sort=-rating&page=400' }],
    ['what no index is in the order of', { query: 'sort=version' }],
    ['an order of two fields', { query: 'sort=rating,code' }],
    ['two directions', { query: 'sort=rating,-created_at' }],
    ['an order in which hidden records are passed', { query: 'sort=title', statuses: ['published'] }],
    ['several statuses, by time', { query: '', statuses: ['draft', 'published'] }],
    ['a type that is not small any more', { query: 'sort=version', each: 1_700 }],
  ])('reads %s apart', async (_, list) => {
    expect(await placesOf(list)).toEqual(['page apart']);
  });

  it.each<[string, Case, string[]]>([
    ['an unselective filter', { query: 'filter[rating][gte]=0' }, ['count apart', 'page apart']],
    ['a filter that no index helps', { query: 'filter[code][contains]=x' }, ['count apart', 'page apart']],
    ['such a filter of a small type', { query: 'filter[code][contains]=x', each: 800 }, ['count here', 'page here']],
    ['a selective filter', { query: 'filter[rating]=7', matches: 300 }, ['count here', 'page here']],
    ['a slug', { query: 'filter[slug]=x' }, ['count here', 'page here']],
    ['a subtree of terms', { query: 'filter[topic][under]=7', matches: 3 }, ['count apart', 'page apart']],
    [
      'a selective filter and many tests of what it matches',
      { query: 'filter[rating]=7&filter[code][ne]=a&filter[title][ne]=b', matches: 2_000 },
      ['count apart', 'page apart'],
    ],
    ['the trash', { query: '', isTrash: true }, ['count apart', 'page apart']],
  ])('counts and reads %s where it belongs', async (_, list, places) => {
    expect(await placesOf(list)).toEqual(places);
  });

  it('leaves all of it to a server', async () => {
    expect(await placesOf({ query: 'filter[code][contains]=x', isServer: true })).toEqual(['count here', 'page here']);
  });
});
