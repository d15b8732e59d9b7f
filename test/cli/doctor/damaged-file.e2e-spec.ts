import { openSync, closeSync, statSync, writeSync } from 'node:fs';
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
    const pages = statSync(file).size / PAGE;
    const handle = openSync(file, 'r+');
    // The last pages are those of the newest tables, which no check before reads.
    for (let page = pages - 4; page < pages; page++) writeSync(handle, Buffer.alloc(64, 0xff), 0, 64, page * PAGE);
    closeSync(handle);

    const { code, out } = await run('doctor --repair');

    expect(out).toMatch(/^fail {2}file +(The file is damaged: |SqliteError: database disk image is malformed)/m);
    expect(code).toBe(1);
    await database.drop();
  });
});
