import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminHealthView } from '../../src/health/admin-health.js';
import { Instances } from '../../src/database/instances/instances.js';
import { Leases } from '../../src/database/leases/leases.js';
import { MIGRATION_NAMES } from '../../src/database/schema/migrate.js';
import { Reads } from '../../src/database/statements/reads.js';
import { execute } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { runner } from '../support/cli-runner.js';
import { expectError } from '../support/errors.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';
import { twinOf } from '../support/twin.js';

const isServer = process.env.TEST_DATABASE_URL !== undefined;

describe('Instances of the service', () => {
  let service: TestApp;

  beforeEach(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' }, {}, { repeats: true });
    await registered(service);
  });

  afterEach(() => service.close());

  async function healthOf(one: TestApp): Promise<AdminHealthView> {
    const { body } = await one.http().get('/api/admin/health').expect(200);
    return body.data as AdminHealthView;
  }

  const idsSeenBy = async (one: TestApp) => (await healthOf(one)).instances.map(({ id }) => id);

  /** A service registers as soon as it answers, in the background. */
  async function registered(one: TestApp): Promise<void> {
    while (!(await idsSeenBy(one)).includes(idOf(one))) await sleep(20);
  }

  const idOf = ({ app }: TestApp): string => app.get(Instances).id;
  const run = ({ app }: TestApp, sql: string, values: readonly string[] = []) =>
    app.get(UnitOfWork).run((manager) => execute(manager, sql, values));
  const seenAt = async (id: string): Promise<number> => {
    const sql = 'SELECT seen_at FROM instances WHERE id = ?';
    const [row] = await service.app.get(Reads).select<{ seen_at: number | string }>(sql, [id]);
    return Number(row?.seen_at ?? 0);
  };

  it('are shown to administrators, with what each does for all', async () => {
    await service.app.get(Leases).keep();

    const health = await healthOf(service);

    const id = idOf(service);
    expect(health.instance).toBe(id);
    expect(health.instances).toEqual([
      expect.objectContaining({ id, version: expect.any(String), schema: MIGRATION_NAMES.at(-1) }),
    ]);
    expect(health.leases.map(({ name }) => name)).toEqual([
      'audit',
      'builds',
      'counts',
      'revisions',
      'sign-in',
      'sitemap',
      'terms',
      'trash',
    ]);
    expect(health.leases.map(({ instance }) => instance)).toEqual(health.leases.map(() => id));
  });

  it('are shown to no caller who may do less', async () => {
    expectError(await service.http(TOKENS.editor).get('/api/admin/health'), 'insufficient_scope');
    expectError(await service.anonymous().get('/api/admin/health'), 'unauthorized');
  });

  it('see each other, until one stops: then the other one goes on with its work', async () => {
    await service.app.get(Leases).keep();
    const twin = await twinOf(service);
    await registered(twin);
    expect(await idsSeenBy(service)).toEqual([idOf(service), idOf(twin)]);

    await twin.close();

    expect(await idsSeenBy(service)).toEqual([idOf(service)]);
  });

  it('take over the work of one that has stopped', async () => {
    await service.app.get(Leases).keep();
    const twin = await twinOf(service);
    await registered(twin);
    await twin.app.get(Leases).keep();
    expect(twin.app.get(Leases).held).toEqual([]);

    await service.app.get(Leases).giveBack();
    await twin.app.get(Leases).keep();

    expect(twin.app.get(Leases).held).toHaveLength(8);
    await twin.close();
  });

  it('count as dead when they were not seen for a minute, and are forgotten with the next start', async () => {
    const dead = randomUUID();
    await run(
      service,
      `INSERT INTO instances (id, version, schema_name, host, started_at, seen_at)
       SELECT ?, version, schema_name, host, started_at, seen_at - 60000 FROM instances WHERE id = ?`,
      [dead, idOf(service)],
    );

    expect(await idsSeenBy(service)).toEqual([idOf(service)]);
    const twin = await twinOf(service);
    await registered(twin);

    expect(await seenAt(dead)).toBe(0);
    await twin.close();
  });

  it('come back into the table when another one took them for dead', async () => {
    await run(service, 'DELETE FROM instances');
    const twin = await twinOf(service);
    await registered(twin);

    await service.app.get(Instances).beat();

    expect(await idsSeenBy(twin)).toEqual(expect.arrayContaining([idOf(service), idOf(twin)]));
    await twin.close();
  });

  it('say that they live, but for one that is alone on a file', async () => {
    await run(service, 'UPDATE instances SET seen_at = seen_at - 30000');
    const before = await seenAt(idOf(service));

    await service.app.get(Instances).beat();
    expect((await seenAt(idOf(service))) > before).toBe(isServer);

    const twin = await twinOf(service);
    await registered(twin);
    await service.app.get(Instances).beat();
    expect(await seenAt(idOf(service))).toBeGreaterThan(before);
    await twin.close();
  });

  it('are named by doctor, and commands are none', async () => {
    await service.app.get(Leases).keep();
    const cli = runner({ DATABASE_URL: service.database.url });

    const { out } = await cli('doctor --json');

    const seen = JSON.parse(out) as { check: string; ok: boolean; message: string }[];
    const found = seen.filter(({ check }) => check === 'instances');
    expect(found).toEqual([
      { check: 'instances', ok: true, message: expect.stringMatching(/does audit, .*trash for all$/) },
    ]);
  });
});
