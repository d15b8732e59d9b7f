import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dialectFor } from '../../src/database/dialect-for.js';
import { Writer } from '../../src/database/statements/writer.js';
import { Child, production, SECRETS } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { runner } from '../support/cli-runner.js';
import { folderOf } from '../support/import-files.js';
import type { TestDatabase } from '../support/test-database.js';

const ITEMS = 3_000;

describe('An import', () => {
  let database: TestDatabase;
  let folder: { path: string; remove: () => void };
  let file: string;

  beforeAll(() => {
    const rows = Array.from({ length: ITEMS }, (_, n) => `item ${n % 1_000},tag ${n % 7}|tag ${n % 5},key-${n}`);
    folder = folderOf({ 'items.csv': `title,tag,id\n${rows.join('\n')}\n` });
    file = join(folder.path, 'items.csv');
  });

  // The first one builds the service, unless another spec did, and each one starts it: seconds, or many under load.
  beforeEach(async () => {
    database = await createMigratedDatabase();
  });

  afterEach(() => database.drop());

  afterAll(() => {
    folder.remove();
  });

  async function counted(): Promise<{ records: number; contents: number; sources: number }> {
    const writer = await Writer.open(dialectFor(database.address));
    const count = async (table: string) => {
      const [row] = await writer.source.query<{ n: string }[]>(`SELECT COUNT(*) AS n FROM ${table}`);
      return Number(row?.n);
    };
    const found = {
      records: await count('records'),
      contents: await count('record_contents'),
      sources: await count('record_sources'),
    };
    await writer.onApplicationShutdown();
    return found;
  }

  const signals = ['SIGKILL', 'SIGINT'] as const;

  it.each(signals)(
    'that is ended by %s leaves whole batches, and the next one completes them',
    async (given) => {
      const child = new Child('cli.js', ['import', file], production(database));
      while ((await counted()).records === 0) await sleep(10);
      const { signal } = await child.kill(given);
      const before = await counted();

      const run = runner({ DATABASE_URL: database.url, APP_SECRET: SECRETS.app });
      const { code, out } = await run(['import', file, '--json']);

      expect(signal).toBe(given);
      expect(before.records).toBeLessThan(ITEMS);
      expect(before).toEqual({ records: before.records, contents: before.records, sources: before.records });
      expect(code).toBe(0);
      expect(JSON.parse(out).counts).toEqual({
        created: ITEMS - before.records,
        updated: 0,
        unchanged: before.records,
        refused: 0,
      });
      expect(await counted()).toEqual({ records: ITEMS, contents: ITEMS, sources: ITEMS });
    },
    120_000,
  );

  it('beside another one of the same file makes no duplicates', async () => {
    const children = [1, 2].map(() => new Child('cli.js', ['import', file, '--json'], production(database)));

    const ended = await Promise.all(children.map((child) => child.ended));

    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    const created = children.map(({ stdout }) => JSON.parse(stdout).counts.created as number);
    expect(created.reduce((sum, n) => sum + n, 0)).toBe(ITEMS);
    expect(await counted()).toEqual({ records: ITEMS, contents: ITEMS, sources: ITEMS });
  });
});
