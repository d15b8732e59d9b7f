import fc from 'fast-check';
import { aField, aType } from '../../../test/support/content-types.js';
import { items, readOne } from '../../../test/support/import-files.js';
import { compileType } from '../../content-types/definition/compiled-type.js';
import { readCsv } from '../formats/csv/csv.js';
import { fieldValue } from '../import/preparation.js';
import { cellsOf, columnsOf, csvRow } from './exporter.js';

const FIELDS = [
  aField({ name: 'note', type: 'string' }),
  aField({ name: 'text', type: 'text' }),
  aField({ name: 'words', type: 'list', of: 'string' }),
];
const TYPE = compileType(aType({ fields: FIELDS }));

const MARKS = ["'", '=', '+', '-', '@', '\t', '\n', ' ', '|', '\\', ',', ';', '"', 'a', 'é', '\u00a0', '\ufeff'];

/** Carriage returns are none in files, and stand for line feeds there. */
const HARD = fc.string({ minLength: 1, unit: fc.constantFrom(...MARKS) });
const WORD = HARD.map((text) => text.trim()).filter((text) => text !== '');
const VALUES = fc.record({
  note: HARD,
  text: HARD,
  words: fc.array(WORD, { minLength: 1, maxLength: 4 }),
  body: HARD,
});

const tableOf = (...rows: readonly object[]): string =>
  [columnsOf(TYPE), ...rows.map((row) => cellsOf({ title: 'A title', terms: {}, ...row }, TYPE))]
    .map((cells) => csvRow(cells, { isGuarded: true }))
    .join('');

async function readBack(table: string): Promise<object[]> {
  return items(await readOne(readCsv, 'a.csv', table)).map(({ values, body }) => {
    const own = FIELDS.flatMap((field) => {
      const given = values[field.name];
      return given ? [[field.name, fieldValue(field, given)]] : [];
    });
    return { ...Object.fromEntries(own), body } as object;
  });
}

describe('The table of an export', () => {
  it('gives back every text that it was made of', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(VALUES, { minLength: 1, maxLength: 5 }), async (rows) => {
        expect(await readBack(tableOf(...rows))).toEqual(rows);
      }),
    );
  });

  it('gives carriage returns back as line feeds, and no apostrophe with them', async () => {
    const row = { note: '\r=1', text: '\r\n-1', words: ['a\rb'], body: "'\r=1" };

    expect(await readBack(tableOf(row))).toEqual([{ note: '\n=1', text: '\n-1', words: ['a\nb'], body: "'\n=1" }]);
  });

  it('leaves out what stands for nothing in a list', async () => {
    expect(await readBack(tableOf({ words: ['a', null, 'b'], body: 'c' }))).toEqual([{ words: ['a', 'b'], body: 'c' }]);
  });
});
