import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { dialectFor } from '../../src/database/dialect-for.js';
import { MIGRATION_NAMES } from '../../src/database/schema/migrate.js';
import { execute } from '../../src/database/statements/statement.js';
import { Writer } from '../../src/database/statements/writer.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { runner, type Ran } from '../support/cli-runner.js';
import { ago } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const HOUR_MS = 3_600_000;

describe('npm run cli -- backup <folder> --keep', () => {
  let folder: string;
  let databases: TestDatabase[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cms-backups-'));
    databases = [];
  });

  afterEach(async () => {
    for (const database of databases) await database.drop();
    rmSync(folder, { recursive: true });
  });

  const on = ({ url }: TestDatabase) => runner({ DATABASE_URL: url });
  const path = (name: string): string => join(folder, name);
  const files = () => readdirSync(folder).sort();

  async function done(running: Promise<Ran>): Promise<Record<string, unknown>> {
    const { code, out, error } = await running;
    expect({ code, error }).toEqual({ code: 0, error: '' });
    return JSON.parse(out) as Record<string, unknown>;
  }

  async function empty(): Promise<TestDatabase> {
    const database = await createTestDatabase();
    databases.push(database);
    return database;
  }

  async function aDatabase(): Promise<TestDatabase> {
    const database = await empty();
    expect((await on(database)('migrate')).code).toBe(0);
    return database;
  }

  /** @returns the name of the file, what was removed, and what is of the future */
  async function backUp(
    database: TestDatabase,
    rules = '3d',
  ): Promise<{ name: string; removed: unknown; ahead: unknown }> {
    const { file, removed, ahead } = await done(on(database)(['backup', folder, '--keep', rules, '--json']));
    return { name: basename(String(file)), removed, ahead };
  }

  /** The name of a backup of the same database at another time. */
  const nameAt = (name: string, time: string): string => name.replace(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ/, time);

  function write(names: readonly string[], hoursAgo = 0): void {
    const at = new Date(ago(hoursAgo * HOUR_MS));
    for (const name of names) {
      writeFileSync(path(name), 'earlier');
      utimesSync(path(name), at, at);
    }
  }

  it('keeps the newest of each period, with the one just written and all files of other names', async () => {
    const database = await aDatabase();
    const { name: first } = await backUp(database);
    rmSync(path(first));
    const ofFuture = ['2999-01-01T00-00-00Z', '2999-01-02T00-00-00Z'].map((time) => nameAt(first, time));
    const kept = [
      ...ofFuture,
      ...['2020-05-02T00-00-00Z', '2020-05-01T12-00-00Z'].map((time) => nameAt(first, time)),
      ...['notes.txt', 'cms-2020-05-01T00-00-00Z.backup'],
    ];
    const expired = ['2020-05-01T00-00-00Z', '2020-04-30T00-00-00Z'].map((time) => nameAt(first, time));
    write([...kept, ...expired]);

    const { name, removed, ahead } = await backUp(database);
    const again = await done(on(database)(['backup', path('by-hand'), '--json']));

    expect([removed, ahead]).toEqual([expired, ofFuture]);
    expect(files()).toEqual([name, 'by-hand', ...kept].sort());
    expect(again).not.toHaveProperty('removed');
    expect((await on(await empty())(['restore', path(name)])).code).toBe(0);
  });

  it('refuses rules that it does not know', async () => {
    const refused = await on(await aDatabase())(['backup', folder, '--keep', 'a week']);

    expect([refused.code, refused.error]).toEqual([2, expect.stringContaining('7d,4w')]);
  });

  it('leaves the backups of another database in the same folder alone, and of a restored copy those of its original', async () => {
    const [one, other] = [await aDatabase(), await aDatabase()];
    const { name } = await backUp(one, '1h');
    const copy = await empty();
    expect((await on(copy)(['restore', path(name)])).code).toBe(0);
    // Of the same hour: of one database only one of them would stay.
    const older = nameAt(name, '2020-05-01T00-00-00Z');
    write([older]);

    const { name: ofOther } = await backUp(other, '1h');
    const { name: ofCopy } = await backUp(copy, '1h');

    expect(files()).toEqual([name, older, ofOther, ofCopy].sort());
    rmSync(path(name));
    expect((await backUp(one, '1h')).removed).toEqual([older]);
  });

  it('says of a database of another version that it is one, as without a folder', async () => {
    const database = await aDatabase();
    const writer = await Writer.open(dialectFor(database.address));
    await new UnitOfWork(writer).run(async (manager) => {
      await execute(manager, 'DELETE FROM migrations WHERE name = ?', [MIGRATION_NAMES.at(-1) ?? '']);
    });
    await writer.onApplicationShutdown();

    const { code, error } = await on(database)(['backup', folder, '--keep', '1d']);

    expect([code, error]).toEqual([1, expect.stringContaining('lacks migrations')]);
    expect(files()).toEqual([]);
  });

  it('removes what a killed backup of the same database has left, a day after it last grew', async () => {
    const [one, other] = [await aDatabase(), await aDatabase()];
    const [{ name }, { name: foreign }] = [await backUp(one), await backUp(other)];
    const old = nameAt(name, '2020-05-01T00-00-00Z');
    write([`${old}.4711.partial`], 25);
    const kept = [`${old}.4712.partial`, `${nameAt(foreign, '2020-05-01T00-00-00Z')}.1.partial`, 'x.12.partial'];
    write(kept.slice(0, 1), 23);
    write(kept.slice(1), 25);

    rmSync(path(name));
    const { name: next, removed } = await backUp(one);

    expect(removed).toContain(`${old}.4711.partial`);
    expect(files()).toEqual(expect.arrayContaining([next, ...kept]));
    expect(files()).not.toContain(`${old}.4711.partial`);
  });

  it('without it removes what was left of a file of the same name', async () => {
    const database = await aDatabase();
    write(['mine.4711.partial', 'other.4711.partial'], 25);
    write(['mine.4712.partial'], 23);
    mkdirSync(path('mine.4713.partial'));

    await done(on(database)(['backup', path('mine'), '--json']));

    expect(files()).toEqual(['mine', 'mine.4712.partial', 'mine.4713.partial', 'other.4711.partial']);
  });
});
