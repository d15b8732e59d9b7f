import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readDatabase } from '../../src/config/settings.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { MIGRATION_NAMES } from '../../src/database/schema/migrate.js';
import { execute } from '../../src/database/statements/statement.js';
import { Writer } from '../../src/database/statements/writer.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { runner, type Ran } from '../support/cli-runner.js';
import { ago } from '../support/clock.js';
import { backupName } from '../../src/transfer/backup/backup-folder.js';
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

  /** The name of an earlier backup of a database. */
  const named = ({ url }: TestDatabase, time: string): string =>
    backupName(dialectFor(readDatabase('test', { DATABASE_URL: url })).label, Date.parse(time));

  /** @returns the name of the file, and what was removed */
  async function backUp(database: TestDatabase, count: string): Promise<{ name: string; removed: unknown }> {
    const { file, removed } = await done(on(database)(['backup', folder, '--keep', count, '--json']));
    return { name: basename(String(file)), removed };
  }

  function write(names: readonly string[], hoursAgo = 0): void {
    const at = new Date(ago(hoursAgo * HOUR_MS));
    for (const name of names) {
      writeFileSync(path(name), 'earlier');
      utimesSync(path(name), at, at);
    }
  }

  it('keeps the newest ones, with the one just written, and all files of other names and of other databases', async () => {
    const database = await aDatabase();
    const other = 'cms-00000000-2020-04-01T00-00-00Z.backup';
    const kept = [named(database, '2020-05-02T00:00:00Z'), 'notes.txt', 'cms-2020-05-01.backup', other];
    const oldest = [named(database, '2020-05-01T00:00:00Z'), named(database, '2020-04-30T00:00:00Z')];
    write([...kept, ...oldest]);

    const { name, removed } = await backUp(database, '2');
    const again = await done(on(database)(['backup', path('by-hand'), '--json']));

    expect(removed).toEqual(oldest);
    expect(name).toMatch(/^cms-[0-9a-f]{8}-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/);
    expect(files()).toEqual([name, 'by-hand', ...kept].sort());
    expect(again).not.toHaveProperty('removed');
    expect((await on(await empty())(['restore', path(name)])).code).toBe(0);
  });

  it('keeps the one just written alone, where one is asked for', async () => {
    const database = await aDatabase();
    const ofFuture = named(database, '2999-01-01T00:00:00Z');
    write([ofFuture]);

    const { name, removed } = await backUp(database, '1');

    expect([files(), removed]).toEqual([[name], [ofFuture]]);
  });

  it.each(['a week', '0', '7d'])('refuses %s, which is no number of files', async (count) => {
    const refused = await on(await aDatabase())(['backup', folder, '--keep', count]);

    expect([refused.code, refused.error]).toEqual([2, expect.stringContaining('such as 14')]);
  });

  it('says of a database of another version that it is one, as without a folder', async () => {
    const database = await aDatabase();
    const writer = await Writer.open(dialectFor(database.address));
    await new UnitOfWork(writer).run(async (manager) => {
      await execute(manager, 'DELETE FROM migrations WHERE name = ?', [MIGRATION_NAMES.at(-1) ?? '']);
    });
    await writer.onApplicationShutdown();

    const { code, error } = await on(database)(['backup', folder, '--keep', '1']);

    expect([code, error]).toEqual([1, expect.stringContaining('lacks migrations')]);
    expect(files()).toEqual([]);
  });

  it('removes what a killed backup has left, a day after it last grew', async () => {
    const database = await aDatabase();
    const old = named(database, '2020-05-01T00:00:00Z');
    write([`${old}.4711.partial`, 'x.12.partial'], 25);
    write([`${old}.4712.partial`], 23);

    const { name, removed } = await backUp(database, '3');

    expect(removed).toEqual([`${old}.4711.partial`]);
    expect(files()).toEqual([name, `${old}.4712.partial`, 'x.12.partial'].sort());
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
