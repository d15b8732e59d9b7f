import { items, problems, readOne } from '../../../../test/support/import-files.js';
import type { ImportEntry } from '../import-entry.js';
import { readNdjson } from './ndjson.js';

const HEADER = { kind: 'header', format: 'cms-ndjson', version: 1, exported_at: '2026-01-01T00:00:00.000Z' };

function read(...lines: readonly (object | string)[]): Promise<ImportEntry[]> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  return readOne(readNdjson, 'all.ndjson', text);
}

function record(data: object): object {
  return { kind: 'record', data: { id: 7, type: 'post', title: 'A title', ...data } };
}

describe('A file of lines', () => {
  it('has an item for each record, known by its id', async () => {
    const [item] = items(
      await read(
        HEADER,
        { kind: 'type', data: { name: 'post' } },
        record({
          ...{ slug: 'a-title', body: 'Text', status: 'published', locale: 'en', url: '/post/a-title', version: 3 },
          ...{ published_at: '2024-02-29T09:30:00.000Z', created_at: '2024-02-28T00:00:00.000Z', updated_at: null },
          ...{ created_by: null, updated_by: null, price: 12, empty: null },
          terms: { tag: [{ id: 1, slug: 'night', name: 'Night sky' }], category: [] },
        }),
      ),
    );

    expect(item).toEqual({
      ...{ kind: 'item', file: 'all.ndjson', line: 3, key: 'id:7', type: 'post', title: 'A title', slug: 'a-title' },
      ...{ body: 'Text', status: 'published', locale: 'en', problems: [], notes: [] },
      publishedAt: Date.parse('2024-02-29T09:30:00Z'),
      createdAt: Date.parse('2024-02-28T00:00:00Z'),
      values: { price: { value: 12, line: 3 } },
      terms: { tag: [{ name: 'Night sky', slug: 'night' }] },
    });
  });

  it('has nothing that stands for types, and counts lines of other kinds', async () => {
    const entries = await read(HEADER, { kind: 'type', data: {} }, '', { kind: 'comment' });

    expect(entries).toEqual([
      expect.objectContaining({ kind: 'leftover', what: 'lines of the kind "comment"', line: 4 }),
    ]);
  });

  it.each([
    ['a record without an id', record({ id: 'x' }), 'The record has no id.'],
    ['a title that is no text', record({ title: ['A'] }), 'title must be a text.'],
    [
      'a date that is none',
      record({ created_at: 'soon' }),
      'created_at is no moment such as 2024-02-29 or 2024-02-29T09:30:00Z.',
    ],
    [
      'terms without names',
      record({ terms: { tag: [7] } }),
      'terms must be lists of terms with slug and name, by their taxonomies.',
    ],
    ['a line that is cut off', '{"kind":"record","data":{"ti', 'The line is no JSON, or it is cut off.'],
    ['a line without a kind', '7', 'The line has no kind.'],
  ])('says what is wrong with %s', async (_, line, message) => {
    expect(problems(await read(HEADER, line))).toEqual([`all.ndjson:2 ${message}`]);
  });

  it.each([
    ['{"title":"x"}', 'The file is no export of this service: its first line is another one.'],
    ['{"kind":"header","format":"other"}', 'The file is no export of this service: its first line is another one.'],
    [JSON.stringify({ ...HEADER, version: 2 }), 'The file was written by a release that this one does not know.'],
  ])('is refused if it begins with %j', async (first, message) => {
    expect(problems(await read(first, record({})))).toEqual([`all.ndjson:1 ${message}`]);
  });

  it('is refused if it is empty', async () => {
    expect(problems(await read(''))).toEqual(['all.ndjson:0 The file is empty.']);
  });
});
