import { openSearch, type OpenSearch } from '../../../test/support/open-search.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { RecordChanges } from './record-changes.js';

const AWAY_MS = 360_000;

describe('The list of changed records', () => {
  let database: TestDatabase;
  let process: OpenSearch;
  let changes: RecordChanges;

  beforeAll(async () => {
    database = await createTestDatabase();
    process = await openSearch(database);
  });

  beforeEach(async () => {
    await run('DELETE FROM search_changes');
    changes = new RecordChanges(process.reads);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  afterAll(async () => {
    await process.close();
    await database.drop();
  });

  const run = (sql: string, values: readonly unknown[] = []) =>
    process.units.run((manager) => manager.query<unknown>(sql, [...values]));
  const note = (id: number, record: number) =>
    run('INSERT INTO search_changes (id, record_id, at) VALUES (?, ?, 1000)', [id, record]);

  /** A row of the list in a unit that has not ended. Returns what ends it. */
  async function noteLate(id: number, record: number): Promise<() => Promise<void>> {
    let commit = (): void => undefined;
    let unit: Promise<void> = Promise.resolve();
    await new Promise<void>((written) => {
      unit = process.units.run(async (manager) => {
        const sql = 'INSERT INTO search_changes (id, record_id, at) VALUES (?, ?, 1000)';
        await manager.query(sql, [id, record]);
        const ending = new Promise<void>((end) => (commit = end));
        written();
        await ending;
      });
    });
    return () => {
      commit();
      return unit;
    };
  }

  function passTime(ms: number): void {
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
  }

  it('is read on from the last row, as long as that is the same', async () => {
    await note(10, 1);
    await changes.read();
    const { position } = changes;

    await note(11, 2);
    await changes.read();

    expect(changes.since(position)).toEqual([2]);
  });

  it('is read anew where the number of the last row was given out again, as after a restore', async () => {
    await note(10, 1);
    await changes.read();
    const { position } = changes;

    await run('DELETE FROM search_changes WHERE id = 10');
    await note(10, 7);
    await note(11, 2);
    await changes.read();

    expect(changes.since(position)).toBeNull();
  });

  it('has what is committed late, with a number before the first row that was seen', async () => {
    const commit = await noteLate(10, 7);
    await note(11, 1);
    await changes.read();
    const { position } = changes;

    await commit();
    await changes.read();

    expect(changes.since(position)).toEqual([7]);
  });

  it('has what was committed late while it was not read for long', async () => {
    await note(9, 1);
    const commit = await noteLate(10, 7);
    await note(11, 1);
    await changes.read();
    const { position } = changes;

    passTime(AWAY_MS);
    await commit();
    await changes.read();

    expect(changes.since(position)).toEqual([7]);
  });

  it('is read anew where rows were put away that may have been missed', async () => {
    await note(9, 1);
    const commit = await noteLate(10, 7);
    await note(11, 1);
    await changes.read();
    const { position } = changes;

    passTime(AWAY_MS);
    await commit();
    await run('DELETE FROM search_changes WHERE id < 11');
    await changes.read();

    expect(changes.since(position)).toBeNull();
  });

  it('is gone on with by a later process, which reads what was missed and nothing twice', async () => {
    const commit = await noteLate(5, 7);
    for (const id of [10, 11, 13]) await note(id, id);
    await changes.read();
    const later = new RecordChanges(process.reads);

    expect(await later.resume(changes.mark)).toBe(true);
    await commit();
    await note(12, 12);
    await later.read();

    expect(later.since(0)).toEqual([7, 12]);
  });

  it('is not gone on with where rows were put away that may have been missed', async () => {
    for (const id of [10, 11, 13]) await note(id, id);
    await changes.read();

    await run('DELETE FROM search_changes WHERE id < 13');

    expect(await new RecordChanges(process.reads).resume(changes.mark)).toBe(false);
  });
});
