// Has all features register their tables.
import '../../app/app.module.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { dialectFor } from '../dialect/dialect-for.js';
import { contractions, migrations } from '../migrations/index.js';
import { Writer } from '../statements/writer.js';
import { contract, olderInstances } from './contract.js';
import { MIGRATION_NAMES } from './migrate.js';
import { unfitMigrations } from './newer-schema-error.js';

/** Migrations from before their names said what the version before them may do. */
const UNMARKED = 42;

describe('The names of migrations', () => {
  it('say what the version before them may do', () => {
    expect(MIGRATION_NAMES.slice(0, UNMARKED).filter((name) => /^(?:Expand|Contract)/.test(name))).toEqual([]);
    expect(MIGRATION_NAMES[UNMARKED - 1]).toBe('BoundIdentities1790000000072');
    expect(migrations.slice(UNMARKED).filter(({ name }) => !name.startsWith('Expand'))).toEqual([]);
    expect(contractions.filter(({ name }) => !name.startsWith('Contract'))).toEqual([]);
  });

  it('are judged by a version that does not know them', () => {
    const newer = ['ExpandNotes1999000000001', 'ContractNotes1999000000002', 'Notes1999000000003'];

    expect(unfitMigrations([...MIGRATION_NAMES, ...newer])).toEqual(newer.slice(1));
  });
});

describe('What contractions wait for', () => {
  let database: TestDatabase;
  let writer: Writer;

  beforeAll(async () => {
    database = await createTestDatabase();
    writer = await Writer.open(dialectFor(database.address));
  });

  afterAll(async () => {
    await writer.onApplicationShutdown();
    await database.drop();
  });

  const older = async (...versions: string[]): Promise<string[]> =>
    (await olderInstances(writer, versions)).map(({ id }) => id).toSorted();

  it('are all other migrations', async () => {
    const ran: string[] = [];

    await contract(writer, (name) => ran.push(name));

    expect(ran).toEqual([...MIGRATION_NAMES, ...contractions.map(({ name }) => name)]);
  });

  it('are instances of versions before theirs, as long as they live', async () => {
    const insert = (id: string, version: string, seen: string): Promise<unknown> =>
      writer.source.query(
        `INSERT INTO instances (id, version, schema_name, host, started_at, seen_at) VALUES (?, ?, 'x', 'x', 1, ${seen})`,
        [id, version],
      );
    const { now, hasOneWriter } = writer.dialect;
    await insert('a', '1.9.3', now);
    await insert('b', '1.10.0', now);
    await insert('c', '2.0.0-rc.1', now);
    await insert('d', '1.2.0', '1');

    // One that is alone on a file never says again that it lives.
    const silent = hasOneWriter ? ['d'] : [];
    expect(await older()).toEqual([]);
    expect(await older('1.2.0')).toEqual([]);
    expect(await older('1.9.3')).toEqual(silent);
    expect(await older('1.10.0')).toEqual(['a', ...silent]);
    expect(await older('1.10.1', '1.2.0')).toEqual(['a', 'b', ...silent]);
    expect(await older('2.0.0')).toEqual(['a', 'b', ...silent]);
    expect(await older('2.0.1')).toEqual(['a', 'b', 'c', ...silent]);
  });
});
