import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dialectFor } from '../../src/database/dialect/dialect-for.js';
import { Writer } from '../../src/database/statements/writer.js';
import { Child, production, SECRETS } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { runner } from '../support/cli-runner.js';
import { folderOf } from '../support/import-files.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const RECORDS = 3_000;

/** Records and revisions that there are. */
async function counted(database: TestDatabase): Promise<{ records: number; revisions: number }> {
  const writer = await Writer.open(dialectFor(database.address));
  const count = async (table: string): Promise<number> => {
    const [row] = await writer.source.query<{ n: string }[]>(`SELECT COUNT(*) AS n FROM ${table}`);
    return Number(row?.n);
  };
  const found = { records: await count('records'), revisions: await count('revisions') };
  await writer.onApplicationShutdown();
  return found;
}

describe('A lossless import', () => {
  it('that is killed leaves whole records, and the next one completes them', async () => {
    const rows = Array.from({ length: RECORDS }, (_, n) => `item ${n},tag ${n % 7},key-${n}`);
    const folder = folderOf({ 'items.csv': `title,tag,id\n${rows.join('\n')}\n` });
    const [source, target] = [await createTestDatabase(), await createMigratedDatabase()];
    const file = join(folder.path, 'all.ndjson');
    const cli = runner({ DATABASE_URL: source.url });
    await cli(['import', join(folder.path, 'items.csv')]);
    await cli(['export', '--out', file]);
    const child = new Child('cli.js', ['import', file], production(target));
    while ((await counted(target)).records === 0) await sleep(10);
    const { signal } = await child.kill('SIGKILL');
    const before = await counted(target);

    const { code, out } = await runner({ DATABASE_URL: target.url, APP_SECRET: SECRETS.app })([
      'import',
      file,
      '--json',
    ]);

    expect(signal).toBe('SIGKILL');
    expect(before.records).toBeLessThan(RECORDS);
    expect(before.revisions).toBe(before.records);
    expect(code).toBe(0);
    expect(JSON.parse(out).counts).toEqual({
      ...{ created: RECORDS - before.records, unchanged: before.records },
      ...{ updated: 0, refused: 0 },
    });
    expect(await counted(target)).toEqual({ records: RECORDS, revisions: RECORDS });
    folder.remove();
    await source.drop();
    await target.drop();
  });
});
