import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { runner, type Ran } from '../support/cli-runner.js';
import { startTestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { typeRequests } from '../support/type-requests.js';

describe('npm run cli -- restore, when something is wrong', () => {
  let folder: string;
  let file: string;
  let source: TestDatabase;
  let target: TestDatabase;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cms-backup-'));
    file = join(folder, 'backup');
    [source, target] = [await createTestDatabase(), await createTestDatabase()];
    for (const { url } of [source, target]) {
      const service = await startTestApp({ DATABASE_URL: url });
      await typeRequests(() => service).aRecord('post', { body: 'words '.repeat(1_000) });
      await service.close();
    }
    expect(await on(source)(['backup', file])).toMatchObject({ code: 0 });
  });

  afterAll(async () => {
    await source.drop();
    await target.drop();
    rmSync(folder, { recursive: true });
  });

  const on = ({ url }: TestDatabase) => runner({ DATABASE_URL: url });

  /** The lines of the digest, without the counters and their changes, which a restore sums up. */
  async function rowsOf(database: TestDatabase): Promise<string[]> {
    const { out } = await on(database)('digest');
    // Backup and restore leave an event each.
    return out.split('\n').filter((line) => !/_(count|position|part|delta)|^auth_events|^all/.test(line));
  }

  /** Tries to restore a file by force, over content that must not be harmed. */
  async function refused(bytes: Buffer): Promise<Ran> {
    const spoiled = join(folder, 'spoiled');
    writeFileSync(spoiled, bytes);
    const before = await on(target)('digest');
    const ran = await on(target)(['restore', spoiled, '--force', '--json']);
    expect(await on(target)('digest')).toEqual(before);
    return { ...ran, error: ran.error.replaceAll(spoiled, 'FILE') };
  }

  function lines(): string[] {
    return gunzipSync(readFileSync(file)).toString().split('\n').slice(0, -1);
  }

  const zipped = (content: readonly string[]): Buffer => gzipSync(content.map((line) => `${line}\n`).join(''));

  function withHeader(change: object): Buffer {
    const [first = '', ...others] = lines();
    return zipped([JSON.stringify({ ...(JSON.parse(first) as object), ...change }), ...others]);
  }

  it.each<[string, () => Buffer]>([
    ['in the compressed bytes', () => readFileSync(file).subarray(0, -20)],
    ['between two lines', () => zipped(lines().slice(0, -1))],
    ['at its very beginning', () => Buffer.alloc(0)],
    ['after the header', () => zipped(lines().slice(0, 1))],
  ])('refuses a file that is cut off %s', async (_, bytes) => {
    const { code, error } = await refused(bytes());

    expect([code, JSON.parse(error)]).toEqual([1, { error: 'backup_unsound', message: 'The backup FILE is cut off.' }]);
  });

  it.each<[string, () => Buffer]>([
    [
      'a flipped bit',
      () => {
        const bytes = readFileSync(file);
        const middle = bytes.length >> 1;
        bytes.writeUInt8(bytes.readUInt8(middle) ^ 0x10, middle);
        return bytes;
      },
    ],
    ['a changed word', () => zipped(lines().map((line) => line.replace('words words', 'words swords')))],
    ['a row that is missing', () => zipped(lines().filter((line) => !line.includes('words words')))],
    ['a row of another length', () => zipped(lines().map((line) => (line.startsWith('[') ? '[1]' : line)))],
    ['a table that is missing', () => zipped(lines().filter((line) => line !== '{"table":"records"}'))],
    ['lines after its end', () => zipped([...lines(), '{}'])],
  ])('refuses a file with %s', async (_, bytes) => {
    const { code, error } = await refused(bytes());

    expect([code, JSON.parse(error)]).toEqual([1, { error: 'backup_unsound', message: 'The backup FILE is damaged.' }]);
  });

  it.each<[string, () => Buffer]>([
    ['plain text', () => Buffer.from('INSERT INTO users')],
    ['other compressed lines', () => zipped(['[1,2]'])],
    ['compressed text', () => zipped(['text'])],
    ['another format', () => withHeader({ format: 'something else' })],
    [
      'a table whose name is a statement',
      () => withHeader({ tables: [{ name: 'x; DROP', columns: [], key: ['id'] }] }),
    ],
  ])('refuses %s, which is no backup', async (_, bytes) => {
    const { code, error } = await refused(bytes());

    expect([code, JSON.parse(error).message]).toEqual([1, 'The file FILE is no backup of this service.']);
  });

  it.each([{ version: 2 }, { migrations: ['Initial1790000000001', 'Later1990000000000'] }])(
    'names the version that can restore a backup with %j',
    async (change) => {
      const { code, error } = await refused(withHeader({ app: '9.9.9', ...change }));

      expect(code).toBe(1);
      expect(JSON.parse(error).error).toBe('backup_of_other_version');
      expect(JSON.parse(error).message).toMatch(/ version 9\.9\.9 .* Restore it with that version\.$/);
    },
  );

  it('refuses a file that is not there', async () => {
    expect((await on(target)('restore nowhere')).error).toBe('The file nowhere is not there.');
  });

  it('refuses a database that holds something, and replaces it when it is forced to', async () => {
    const before = await on(target)('digest');

    const { code, error } = await on(target)(['restore', file]);

    expect(code).toBe(1);
    expect(error).toMatch(/ has content of its own in actors\. .* --force\.$/);
    expect(await on(target)('digest')).toEqual(before);
    expect(await on(target)(['restore', file, '--force', '--verify'])).toMatchObject({ code: 0 });
    expect(await rowsOf(target)).toEqual(await rowsOf(source));
  });

  it('takes a database that was only migrated for empty', async () => {
    const fresh = await createTestDatabase();
    await on(fresh)('migrate');

    const { code } = await on(fresh)(['restore', file]);

    expect(code).toBe(0);
    await fresh.drop();
  });

  it('refuses a database that a service is using', async () => {
    const service = await startTestApp({ DATABASE_URL: target.url });
    await service.http().get('/api/cms/post').expect(200);

    const { code, error } = await on(target)(['restore', file, '--force', '--json']);

    expect([code, JSON.parse(error).error]).toEqual([1, 'database_in_use']);
    await service.http().get('/api/cms/post').expect(200);
    await service.close();
  });
});
