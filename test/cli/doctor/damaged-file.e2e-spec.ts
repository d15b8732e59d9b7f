import { openSync, closeSync, writeSync } from 'node:fs';
import { dialectFor } from '../../../src/database/dialect-for.js';
import { openDataSource } from '../../../src/database/dialect/data-source.js';
import { runner } from '../../support/cli-runner.js';
import { createTestFile } from '../../support/test-database.js';

const PAGE = 8_192;

describe('doctor on a damaged file of SQLite', () => {
  it('says what is wrong with it, and writes nothing', async () => {
    const database = createTestFile();
    const run = runner({ DATABASE_URL: database.url });
    await run('migrate');
    expect((await run('doctor')).out).toMatch(/^ok {4}file +the file is whole$/m);
    const { file } = database.address as { file: string };
    const source = await openDataSource(dialectFor(database.address).readerOptions());
    const sql = "SELECT rootpage FROM sqlite_schema WHERE name LIKE 'i_auth_events_%'";
    const pages = await source.query<{ rootpage: number }[]>(sql);
    await source.destroy();
    const handle = openSync(file, 'r+');
    // No check before that of the file reads these indexes.
    for (const { rootpage } of pages) writeSync(handle, Buffer.alloc(64, 0xff), 0, 64, (rootpage - 1) * PAGE);
    closeSync(handle);

    const { code, out } = await run('doctor --repair');

    expect(out).toMatch(/^fail {2}file +(The file is damaged: |SqliteError: database disk image is malformed)/m);
    expect(code).toBe(1);
    await database.drop();
  });
});
