import type { DataSource } from 'typeorm';
import { createTestFile, type TestDatabase } from '../../../test/support/test-database.js';
import { SERVICE } from '../../common/access/caller.js';
import { compileType } from '../../content-types/definition/compiled-type.js';
import type { Field } from '../../content-types/kinds/field.js';
import { openDataSource } from '../../database/dialect/data-source.js';
import { dialectFor } from '../../database/dialect-for.js';
import { migrate } from '../../database/schema/migrate.js';
import type { Reads } from '../../database/statements/reads.js';
import type { SqlValue } from '../../database/statements/statement.js';
import { Writer } from '../../database/statements/writer.js';
import { browseQuery, type BrowseQuery } from './browse-query.js';
import { ListReader, ListStatements } from './list-reader.js';
import type { RecordCounts } from '../counting/record-counts.js';
import { NARROW_ROWS, WHOLE_ROWS } from '../rows/record-row.js';

interface Step {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

const field = (key: number, name: string, type: Field['type'], options: Partial<Field> = {}): Field => ({
  key,
  id: `f_${key}`,
  name,
  type,
  label: name,
  required: false,
  unique: false,
  indexed: true,
  searchable: false,
  ...options,
});

const book = compileType({
  id: 3,
  name: 'book',
  label: 'Book',
  label_plural: 'Books',
  description: '',
  taxonomies: ['tag'],
  url_path: '/book/{slug}',
  sitemap: true,
  body: 'markdown',
  revisions: { keep: 100 },
  fields: [
    field(1, 'rating', 'integer'),
    field(2, 'code', 'string', { unique: true }),
    field(3, 'isNew', 'boolean'),
    field(4, 'day', 'date'),
    field(5, 'words', 'list', { of: 'string' }),
    field(6, 'author', 'relation', { to: ['book'] }),
  ],
  version: 1,
  created_at: 0,
  updated_at: 0,
});

const OPERATORS: Readonly<Record<string, readonly (readonly [op: string, value: string])[]>> = {
  text: [
    ...['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'contains', 'starts'].map((op) => [op, 'abc'] as const),
    ['in', 'a,b'],
    ['nin', 'a,b'],
    ['exists', 'true'],
    ['exists', 'false'],
  ],
  number: [
    ...['eq', 'ne', 'lt', 'lte', 'gt', 'gte'].map((op) => [op, '1'] as const),
    ['in', '0,1'],
    ['nin', '0,1'],
    ['exists', 'true'],
    ['exists', 'false'],
  ],
  time: [
    ...['eq', 'ne', 'lt', 'lte', 'gt', 'gte'].map((op) => [op, '2026-01-01'] as const),
    ['exists', 'true'],
    ['exists', 'false'],
  ],
};

const PROPERTIES: Readonly<Record<string, string>> = {
  id: 'number',
  title: 'text',
  slug: 'text',
  locale: 'text',
  version: 'number',
  created_at: 'time',
  updated_at: 'time',
  published_at: 'time',
  rating: 'number',
  code: 'text',
  isNew: 'number',
  day: 'time',
  words: 'text',
  author: 'number',
};

const SORTS = [
  '-created_at',
  'created_at',
  'title',
  '-updated_at',
  'published_at',
  'slug',
  'version',
  'rating',
  '-code',
  'rating,title',
  'title,rating',
  'rating,-code',
];

/** One for each kind of order: by an index of records, of fields, of both, and by what may be missing. */
const KINDS_OF_SORTS = ['-created_at', 'title', 'published_at', 'slug', 'rating', '-code', 'rating,title'];

const FILTERS: readonly string[] = [
  '',
  'filter[status]=published',
  'filter[status][ne]=draft',
  ...Object.entries(PROPERTIES).flatMap(([name, kind]) =>
    (OPERATORS[kind] ?? []).map(([op, value]) => `filter[${name}][${op}]=${value}`),
  ),
];

/** Filters by terms, as they are once the names of terms have become ids. */
const TERM_FILTERS = ['eq', 'ne', 'in', 'nin', 'under', 'exists'] as const;

/** What is wrong with a plan: a table that is gone through, or an index of a whole field that is, for each row. */
function faults(steps: readonly Step[]): string[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const isPerRow = ({ parent }: Step): boolean => {
    const above = byId.get(parent);
    return above !== undefined && (above.detail.startsWith('CORRELATED') || isPerRow(above));
  };
  return steps.filter((step) => !isGood(step.detail, isPerRow(step))).map(({ detail }) => detail);
}

function isGood(detail: string, isPerRow: boolean): boolean {
  if (detail.startsWith('SCAN')) return /^SCAN (m|p|probe|CONSTANT ROW|\(subquery-\d+\))$/.test(detail);
  if (!detail.startsWith('SEARCH')) return true;
  // The terms of a subtree are listed once for all rows.
  if (/^SEARCH [td] /.test(detail)) return /rowid=\?|taxonomy=\? AND sort_key>\?/.test(detail);
  if (isPerRow) return detail.includes('record_id=?');
  return / \((rowid=\?|type_id=\?|field_id=\?|record_id=\?)/.test(detail);
}

describe('The statements of lists on a file of SQLite without statistics', () => {
  let file: TestDatabase;
  let writer: Writer;
  let reader: DataSource;
  let statements: [sql: string, values: readonly SqlValue[]][];

  beforeAll(async () => {
    file = createTestFile();
    writer = await Writer.open(dialectFor(file.address));
    await migrate(writer);
    reader = await openDataSource(writer.dialect.readerOptions());
  });

  afterAll(async () => {
    await reader.destroy();
    await writer.onApplicationShutdown();
    await file.drop();
  });

  const explained = (sql: string, values: readonly SqlValue[]) =>
    reader.query<Step[]>(`EXPLAIN QUERY PLAN ${sql}`, [...values]);

  /** @param matches how many rows a filter is said to match by itself */
  function listReader(matches: number): ListReader {
    const reads = {
      of: () => reads,
      select: (sql: string, values: readonly SqlValue[]) => {
        statements.push([sql, values]);
        if (sql.includes('probe')) return Promise.resolve([0, 1, 2, 3].map((place) => ({ place, n: matches })));
        return Promise.resolve(sql.includes('COUNT(*)') ? [{ n: 100_000 }] : []);
      },
    };
    const counts = { total: () => Promise.resolve(100_000) };
    return new ListReader(
      reads as unknown as Reads,
      new ListStatements(reads as unknown as Reads, counts as unknown as RecordCounts),
      counts as unknown as RecordCounts,
      writer.dialect,
    );
  }

  /** Pages of every kind: the first, a far one, one from the end, and what stands behind a cursor. */
  async function pages(query: BrowseQuery): Promise<void> {
    const cursors = [
      { page: 2, after: query.sort.map((_, at) => at + 1) },
      { page: 2, after: query.sort.map(({ property }, at) => (property.isNullable ? null : at + 1)) },
    ];
    for (const matches of [10, 1_000_000]) {
      for (const statuses of [['published'], ['draft', 'published']] as const) {
        for (const isTrash of [false, true]) {
          const scope = { type: book, statuses, isTrash, caller: SERVICE };
          const lists = listReader(matches);
          for (const page of [1, 3_000, 6_600]) await lists.page(scope, { ...query, page }, WHOLE_ROWS);
          for (const cursor of cursors) await lists.page(scope, { ...query, cursor }, NARROW_ROWS);
        }
      }
    }
  }

  /** Faults, each with a statement that has it. */
  async function badPlans(): Promise<Record<string, string>> {
    const texts = new Map(statements);
    const bad = new Map<string, string>();
    for (const [sql, values] of texts) {
      for (const fault of faults(await explained(sql, values))) bad.set(fault, sql);
    }
    return Object.fromEntries(bad);
  }

  beforeEach(() => (statements = []));

  it.each(KINDS_OF_SORTS)('look up each row, sorted by %s, whatever the filter is', async (sort) => {
    for (const filter of FILTERS) await pages(browseQuery(book, new URLSearchParams(`${filter}&sort=${sort}`)));

    expect(await badPlans()).toEqual({});
    expect(statements.length).toBeGreaterThan(1_000);
  });

  it.each(TERM_FILTERS)('look up each row, filtered by terms with %s', async (op) => {
    for (const sort of SORTS) {
      const query = browseQuery(
        book,
        new URLSearchParams({ [`filter[tag][${op}]`]: op === 'exists' ? 'true' : 'x', sort }),
      );
      const filters = query.filters.map((filter) => ({
        ...filter,
        values: op === 'under' ? [4] : [4, 5],
      }));
      await pages({ ...query, filters: op === 'exists' ? query.filters : filters });
    }

    expect(await badPlans()).toEqual({});
  });

  it.each(['id', 'slug'])('find records by their %s at once, whatever the order is', async (name) => {
    for (const sort of SORTS) {
      for (const op of ['eq', 'in']) {
        await pages(browseQuery(book, new URLSearchParams(`filter[${name}][${op}]=1&sort=${sort}`)));
      }
    }

    for (const [sql, values] of new Map(statements)) {
      const [step] = (await explained(sql, values)).filter(({ detail }) => detail.startsWith('SEARCH r '));
      expect(`${step?.detail} in ${sql}`).toMatch(/rowid=\?|slug=\?/);
    }
  });

  it('look up each row with several filters at once', async () => {
    const filter = 'filter[code][contains]=x&filter[rating][gte]=1&filter[words][starts]=y&filter[title][contains]=z';
    for (const sort of SORTS) await pages(browseQuery(book, new URLSearchParams(`${filter}&sort=${sort}`)));

    expect(await badPlans()).toEqual({});
  });
});
