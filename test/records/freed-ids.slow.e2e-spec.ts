import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runner } from '../support/cli-runner.js';
import { leaveTraces, NOTHING_REVIVED, revived, type Traces } from '../support/freed-ids.js';
import { startTestApp } from '../support/test-app.js';
import { createTestDatabase, createTestFile, type TestDatabase } from '../support/test-database.js';

const SERVER = 'the tested database';
const FILE = 'a file of SQLite';
const MAKE: Record<string, () => TestDatabase | Promise<TestDatabase>> = {
  [SERVER]: createTestDatabase,
  [FILE]: createTestFile,
};
const DIRECTIONS: [string, string][] = [
  [SERVER, SERVER],
  [SERVER, FILE],
  [FILE, SERVER],
];

describe('Ids that were used and freed', () => {
  let folder: string;
  const databases: TestDatabase[] = [];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cms-ids-'));
  });

  afterAll(async () => {
    for (const database of databases) await database.drop();
    rmSync(folder, { recursive: true });
  });

  async function empty(kind: string): Promise<TestDatabase> {
    const database = await MAKE[kind]?.();
    if (!database) throw new Error(`There is no ${kind}.`);
    databases.push(database);
    return database;
  }

  async function filled(kind: string): Promise<{ from: TestDatabase; traces: Traces }> {
    const from = await empty(kind);
    const service = await startTestApp({ DATABASE_URL: from.url });
    const traces = await leaveTraces(service);
    await service.close();
    return { from, traces };
  }

  async function run({ url }: TestDatabase, ...line: string[]): Promise<void> {
    const { code, error, out } = await runner({ DATABASE_URL: url })(line);
    expect([code, error, code === 0 ? '' : out]).toEqual([0, '', '']);
  }

  async function revivedIn({ url }: TestDatabase, traces: Traces): Promise<object> {
    const service = await startTestApp({ DATABASE_URL: url });
    try {
      return await revived(service, traces);
    } finally {
      await service.close();
    }
  }

  it.each(DIRECTIONS)(
    'stay unused when a backup of %s is restored into %s',
    async (kind, other) => {
      const { from, traces } = await filled(kind);
      const to = await empty(other);
      const file = join(folder, `${databases.length}.backup`);

      await run(from, 'backup', file);
      await run(to, 'restore', file, '--verify');

      expect(await revivedIn(to, traces)).toEqual(NOTHING_REVIVED);
    },
    60_000,
  );

  it('stay unused when a backup is taken of what was restored', async () => {
    const { from, traces } = await filled(SERVER);
    const [between, to] = [await empty(FILE), await empty(SERVER)];

    await run(from, 'backup', join(folder, 'once'));
    await run(between, 'restore', join(folder, 'once'));
    await run(between, 'backup', join(folder, 'twice'));
    await run(to, 'restore', join(folder, 'twice'));

    expect(await revivedIn(to, traces)).toEqual(NOTHING_REVIVED);
  });
});
