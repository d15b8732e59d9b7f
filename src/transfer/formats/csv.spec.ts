import { join } from 'node:path';
import { entriesOf, FIXTURES, items, problems, readOne } from '../../../test/support/import-files.js';
import { type Cell, readCsv } from './csv.js';

describe('a table in CSV', () => {
  it('becomes one item a row', async () => {
    const [first, second] = items(await entriesOf(readCsv, join(FIXTURES, 'table.csv')));

    expect(first).toMatchObject({
      key: 'slug:first',
      title: 'First, of all',
      slug: 'first',
      status: 'published',
      body: 'Two\nlines',
      createdAt: Date.UTC(2014, 2, 12),
      line: 2,
    });
    expect((first?.values.tag?.value as Cell).terms.map(({ name }) => name)).toEqual(['optics', 'night sky']);
    expect((first?.values.rating?.value as Cell).text).toBe('5');
    expect(second).toMatchObject({
      key: 'title:Second',
      title: 'Second',
      slug: null,
      status: 'draft',
      body: null,
      line: 4,
    });
  });

  it('tells problems with the lines on which their rows begin', async () => {
    const entries = await entriesOf(readCsv, join(FIXTURES, 'table.csv'));

    expect(problems(entries)).toEqual([
      'table.csv:5 The row has 2 cells, and the first one names 8.',
      'table.csv:6 published_at is no moment such as 2024-02-29 or 2024-02-29T09:30:00Z.',
    ]);
  });

  it.each([
    [
      'title,body\nA,"never\nclosed\n',
      't.csv:2 A quotation mark that opens in the row that begins here is never closed.',
    ],
    ['', 't.csv:0 The file is empty. The first row has to name the fields.'],
    [
      'name,body\nA,B\n',
      't.csv:1 The file has no column "title". The first row has to name the fields, separated by commas.',
    ],
    ['title,body,title\n', 't.csv:1 The file names these columns twice: title.'],
    ['title,,x\n', 't.csv:1 The file has a column without a name.'],
    [Buffer.from('title\ncaf\xe9\n', 'latin1'), expect.stringMatching(/^t\.csv:2 The file is neither UTF-8/)],
  ])('is refused: %j', async (content, problem) => {
    expect(problems(await readOne(readCsv, 't.csv', content))).toEqual([problem]);
  });

  it('whose quotation mark is never closed does not fill the memory', async () => {
    const entries = await readOne(readCsv, 't.csv', `title,body\nA,B\nC,"${'long\n'.repeat(1_000_000)}`);

    expect(items(entries).map(({ title }) => title)).toEqual(['A']);
    expect(problems(entries)).toEqual([expect.stringMatching(/^t\.csv:3 The row that begins here has more than/)]);
  });
});
