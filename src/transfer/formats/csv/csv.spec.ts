import { join } from 'node:path';
import { entriesOf, FIXTURES, items, problems, readOne } from '../../../../test/support/import-files.js';
import { joinedParts, partsOf, termsIn } from './cell-parts.js';
import { readCsv } from './csv.js';
import type { Cell } from '../import-entry.js';

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
    expect(termsIn(first?.values.tag as Cell).map(({ name }) => name)).toEqual(['optics', 'night sky']);
    expect(first?.values.rating).toMatchObject({ cell: '5' });
    expect(second).toMatchObject({
      key: 'title:Second',
      title: 'Second',
      slug: null,
      status: 'draft',
      body: null,
      line: 4,
    });
  });

  it('reports problems with the lines on which their rows begin', async () => {
    const entries = await entriesOf(readCsv, join(FIXTURES, 'table.csv'));

    expect(problems(entries)).toEqual([
      'table.csv:5 The row has 2 cells, and the first one names 8.',
      'table.csv:6 published_at is no moment such as 2024-02-29 or 2024-02-29T09:30:00Z.',
    ]);
  });

  it.each([
    [
      'title,body\nA,"never\nclosed\n',
      't.csv:2 The file has a quotation mark in the row that begins here which is never closed.',
    ],
    ['', 't.csv:0 The file is empty. The first row has to name the fields.'],
    [
      'name,body\nA,B\n',
      't.csv:1 The file has no column "title". The first row has to name the fields, between commas, semicolons or tabs.',
    ],
    ['title,body,title\n', 't.csv:1 The file names these columns twice: title.'],
    [Buffer.from('title\ncaf\xe9\n', 'latin1'), expect.stringMatching(/^t\.csv:2 The file is neither UTF-8/)],
  ])('is refused: %j', async (content, problem) => {
    expect(problems(await readOne(readCsv, 't.csv', content))).toEqual([problem]);
  });

  it.each([
    ['title;price\nA;1,50\n"B; b";2\n'],
    ['sep=;\nTitle;PRICE\nA;1,50\n"B; b";2\n'],
    ['"title"\tprice\nA\t1,50\nB; b\t2\n'],
    ['title,price,,\nA,"1,50",,\nB; b,2\n,,,\n'],
  ])('is read however its cells are parted, and without what a spreadsheet leaves behind: %j', async (content) => {
    const entries = await readOne(readCsv, 't.csv', content);

    expect(problems(entries)).toEqual([]);
    expect(items(entries).map(({ title, values }) => [title, (values.price as Cell).cell])).toEqual([
      ['A', '1,50'],
      ['B; b', '2'],
    ]);
  });

  it.each([
    ['title,,x\nA,1,2\n', 't.csv:2 The row has a value in column 2, which has no name.'],
    ['title,x\nA,1,2\n', 't.csv:2 The row has 3 cells, and the first one names 2.'],
  ])('loses no value without a word: %j', async (content, problem) => {
    expect(problems(await readOne(readCsv, 't.csv', content))).toEqual([problem]);
  });

  it('whose quotation mark is never closed does not fill the memory', async () => {
    const entries = await readOne(readCsv, 't.csv', `title,body\nA,B\nC,"${'long\n'.repeat(1_000_000)}`);

    expect(items(entries).map(({ title }) => title)).toEqual(['A']);
    expect(problems(entries)).toEqual([
      expect.stringMatching(/^t\.csv:3 The file has more than 4000000 characters in the row that begins here/),
    ]);
  });

  it('keeps a quotation mark inside of a cell as it stands', async () => {
    const content = 'title,body\nA,a\nB,5" pipe\nC,"c"c\n\n\n"D\nd",d\nE,"e"\n';

    const entries = await readOne(readCsv, 't.csv', content);

    expect(items(entries).map(({ title, body, line }) => [title, body, line])).toEqual([
      ['A', 'a', 2],
      ['B', '5" pipe', 3],
      ['C', '"c"c', 4],
      ['D\nd', 'd', 7],
      ['E', 'e', 9],
    ]);
    expect(problems(entries)).toEqual([]);
  });

  it('that is no text from somewhere on gives the rows before, and none that is cut off', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => `Row ${at},some words\n`).join('');

    const entries = await readOne(readCsv, 't.csv', Buffer.from(`title,body\n${rows}caf\xe9,x\n`, 'latin1'));

    const found = items(entries);
    expect(found.length).toBeGreaterThan(5_000);
    expect(found.every(({ body }) => body === 'some words')).toBe(true);
    expect(problems(entries)).toEqual([expect.stringMatching(/^t\.csv:10002 The file is neither UTF-8/)]);
  });

  it('may have columns that are called as what every object has', async () => {
    const [item] = items(await readOne(readCsv, 't.csv', 'title,__proto__,constructor\nA,1,2\n'));

    expect(Object.entries(item?.values ?? {}).map(([name, given]) => [name, (given as Cell).cell])).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });

  it.each([
    [['C:\\dir\\', 'D'], String.raw`C:\dir\\|D`],
    [['a|b', '\\'], 'a\\|b|\\'],
    [['a\\|b'], String.raw`a\\\|b`],
    [['\\\\', '|', 'x'], String.raw`\\\\|\||x`],
    [['a\\b'], String.raw`a\b`],
  ])('keeps the parts %j of a cell apart, whatever bars and backslashes they have', (parts, cell) => {
    expect(joinedParts(parts)).toBe(cell);
    expect(partsOf({ cell } as Cell)).toEqual(parts);
  });

  it('takes one backslash at the end of a cell as it stands', () => {
    expect(partsOf({ cell: 'C:\\dir\\' } as Cell)).toEqual(['C:\\dir\\']);
  });
});
