import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { aDocument } from '../../../test/support/open-search.js';
import { openDataSource } from '../../database/dialect/data-source.js';
import { dialectFor } from '../../database/dialect-for.js';
import { migrate } from '../../database/schema/migrate.js';
import { Reads } from '../../database/statements/reads.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { Writer } from '../../database/statements/writer.js';
import { KnownWords } from './known-words.js';
import { type SearchDocument } from '../search-index.js';

describe('The words of the index', () => {
  let database: TestDatabase;
  let writer: Writer;
  let reader: DataSource;
  let units: UnitOfWork;
  let words: KnownWords;

  beforeAll(async () => {
    database = await createTestDatabase();
    writer = await Writer.open(dialectFor(database.address));
    await migrate(writer);
    reader = await openDataSource(writer.dialect.readerOptions());
  });

  beforeEach(async () => {
    await writer.source.query('DELETE FROM search_words');
    units = new UnitOfWork(writer);
    words = new KnownWords(new Reads(reader), units, writer.dialect);
  });

  afterAll(async () => {
    await reader.destroy();
    await writer.onApplicationShutdown();
    await database.drop();
  });

  const kept = async () =>
    (await reader.query<{ word: string }[]>('SELECT word FROM search_words ORDER BY word')).map(({ word }) => word);

  const note = (...documents: readonly SearchDocument[]): void => {
    words.note(documents);
  };

  it('are kept once each, without numbers and what is too short to be mistyped', async () => {
    note(aDocument(1, 'apples and 12345 pears'), aDocument(2, 'pears, apples, plums'));
    await words.keep();

    expect(await kept()).toEqual(['apples', 'pears', 'plums', 'untitled']);
  });

  it('are near to a mistyped one before they are kept, so that a search has nothing to write', async () => {
    note(aDocument(1, 'telescopes'));

    expect(await words.near('telescpoes')).toContain('telescopes');
    expect(await kept()).toEqual([]);
  });

  it('are kept later when they could not be kept at once', async () => {
    jest.spyOn(units, 'run').mockRejectedValueOnce(new Error('The database is away.'));
    note(aDocument(1, 'apples'));
    await expect(words.keep()).rejects.toThrow('away');
    note(aDocument(1, 'apples'));
    await words.keep();

    expect(await kept()).toEqual(['apples', 'untitled']);
  });

  it('are kept with a later document when there were too many at a time', async () => {
    const letters = (n: number) =>
      Array.from(n.toString(26), (digit) => 'abcdefghijklmnopqrstuvwxyz'[parseInt(digit, 26)]);
    const many = Array.from({ length: 20_001 }, (_, n) => `word${letters(n).join('')}`).join(' ');
    const late = aDocument(2, 'latecomer');
    note(aDocument(1, many), late);
    await words.keep();
    expect(await kept()).not.toContain('latecomer');

    note(late);
    await words.keep();

    expect(await kept()).toContain('latecomer');
  });
});
