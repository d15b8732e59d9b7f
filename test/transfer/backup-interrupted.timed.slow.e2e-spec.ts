import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dialectFor } from '../../src/database/dialect-for.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { execute } from '../../src/database/statements/statement.js';
import { Writer } from '../../src/database/statements/writer.js';
import { Child, production } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { runner } from '../support/cli-runner.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const USERS = 120_000;
const AT_ONCE = 2_000;
/** Of the time that a restore takes from reading the file: before, at the beginning of, and in the middle of the work. */
const MOMENTS = [0.02, 0.2, 0.4];

describe('A backup or a restore that is killed', () => {
  let folder: string;
  let file: string;
  let source: TestDatabase;
  let target: TestDatabase;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cms-backup-'));
    file = join(folder, 'backup');
    source = await createMigratedDatabase();
    target = await createTestDatabase();
    await addUsers();
    expect(await on(source)(['backup', file])).toMatchObject({ code: 0 });
  });

  afterAll(async () => {
    await source.drop();
    await target.drop();
    rmSync(folder, { recursive: true });
  });

  const on = ({ url }: TestDatabase) => runner({ DATABASE_URL: url });

  async function addUsers(): Promise<void> {
    const writer = await Writer.open(dialectFor(source.address));
    const units = new UnitOfWork(writer);
    const row = "(?, ?, 'Somebody with a name', 'viewer', 1, 1)";
    for (let first = 0; first < USERS; first += AT_ONCE) {
      const emails = Array.from({ length: AT_ONCE }, (_, n) => `user${first + n}@example.com`);
      await units.run((manager) =>
        execute(
          manager,
          `INSERT INTO users (email, email_key, name, role, created_at, updated_at) VALUES ${emails.map(() => row).join(', ')}`,
          emails.flatMap((email) => [email, email]),
        ),
      );
    }
    await writer.source.destroy();
  }

  async function restoring(database: TestDatabase): Promise<Child> {
    const child = new Child('cli.js', ['restore', file], production(database));
    while (!child.stderr.includes('Checking bytes')) await sleep(5);
    return child;
  }

  async function killedAfter(ms: number): Promise<string | null> {
    const child = await restoring(target);
    await sleep(ms);
    return (await child.kill('SIGKILL')).signal;
  }

  /** Without the events that backup and restore leave. */
  async function rowsOf(database: TestDatabase): Promise<string[]> {
    const { code, out } = await on(database)('digest');
    expect(code).toBe(0);
    return out.split('\n').filter((line) => !/^(?:auth_events|all) /.test(line));
  }

  /** Milliseconds that a restore needs once it has begun to read the file. */
  async function timeOfRestore(): Promise<number> {
    const spare = await createTestDatabase();
    const child = await restoring(spare);
    const start = performance.now();
    expect(await child.ended).toMatchObject({ code: 0 });
    await spare.drop();
    return performance.now() - start;
  }

  it('leaves no backup of that name', async () => {
    const child = new Child('cli.js', ['backup', join(folder, 'killed')], production(source));
    while (!readdirSync(folder).some((name) => name.startsWith('killed'))) await sleep(2);

    expect(await child.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    expect(readdirSync(folder)).toEqual(['backup', expect.stringMatching(/^killed\.\d+\.partial$/)]);
  });

  it('leaves a database that the service does not serve, and that the next restore fills', async () => {
    const whole = await timeOfRestore();
    for (const moment of MOMENTS) expect(await killedAfter(moment * whole)).toBe('SIGKILL');

    const service = new Child('main.js', [], production(target));
    expect((await service.ended).code).toBe(1);
    expect(service.stdout + service.stderr).toMatch(/holds only a part of a backup.*npm run cli -- restore/);
    for (const command of [['backup', join(folder, 'half')], ['digest'], ['migrate'], ['user', 'list']]) {
      const { code, error } = await on(target)(command);
      expect([command[0], code, error]).toEqual([command[0], 1, expect.stringContaining('holds only a part')]);
    }
    expect((await on(target)('doctor')).out).toMatch(
      /^fail +database +npm start would refuse: The database holds only a part/m,
    );

    expect(await on(target)(['restore', file, '--verify'])).toMatchObject({ code: 0 });
    expect(await rowsOf(target)).toEqual(await rowsOf(source));
    const served = new Child('main.js', [], production(target));
    expect(await served.address()).toMatch(/^http/);
    expect(await served.kill('SIGTERM')).toMatchObject({ code: 0 });
  });
});
