import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child } from '../support/child-service.js';
import { createTestDatabase } from '../support/test-database.js';

describe('The command line without NODE_ENV', () => {
  const PLACE = 'To work on the database of npm run dev or npm run demo, set NODE_ENV=development or NODE_ENV=demo.';
  const ended = async (args: readonly string[], environment: Record<string, string> = {}) => {
    const child = new Child('cli.js', args, environment);
    const { code } = await child.ended;
    return { code, out: child.stdout, error: child.stderr };
  };

  it('finds with doctor each reason for which npm start refuses, and ends with 1', async () => {
    const service = new Child('main.js', [], {});
    expect((await service.ended).code).toBe(78);
    const reasons = service.stderr.split('\n').flatMap((line) => /^ {2}- (.*)$/.exec(line)?.[1] ?? []);

    const { code, out } = await ended(['doctor']);

    expect(code).toBe(1);
    expect(reasons).toHaveLength(3);
    for (const reason of reasons) expect(out).toContain(`fail  settings    npm start would refuse: ${reason}\n`);
    expect(out).toContain(PLACE);
  });

  it.each(['migrate', 'digest', 'token list'])('%s makes no database where DATABASE_URL is forgotten', async (line) => {
    const folder = mkdtempSync(join(tmpdir(), 'cms-forgotten-'));

    const { code, error } = await ended(line.split(' '), { DATA_DIR: folder });

    expect(code).toBe(1);
    expect(error).toContain('- DATABASE_URL is not set.');
    expect(error).toContain(PLACE);
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('needs nothing but the database to migrate it', async () => {
    const database = await createTestDatabase();

    expect(await ended(['migrate'], { DATABASE_URL: database.url })).toMatchObject({ code: 0, error: '' });
    await database.drop();
  });
});
