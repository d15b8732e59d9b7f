import { setTimeout as sleep } from 'node:timers/promises';
import { dialectFor } from '../../src/database/dialect/dialect-for.js';
import { migrate, MIGRATION_NAMES } from '../../src/database/schema/migrate.js';
import { Writer } from '../../src/database/statements/writer.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Galera } from './galera.js';

const ADMINS_ROUNDS = 40;
const TYPES_ROUNDS = 20;

describe('Instances on different nodes of a cluster', () => {
  let cluster: Galera;
  let instances: TestApp[] = [];

  beforeAll(async () => {
    cluster = await Galera.start();
    await cluster.createDatabase('cms');
    instances = await Promise.all(
      cluster.nodes.map((node) => startTestApp({ DATABASE_URL: node.url('cms'), RATE_LIMITS: 'off' })),
    );
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.close()));
    await cluster.stop();
  });

  function on(n: number) {
    const instance = instances[n];
    if (!instance) throw new Error(`There is no instance ${n}.`);
    return instance.http();
  }

  async function recordsOf(id: number): Promise<number> {
    return Number((await cluster.node(0).latest(`SELECT COUNT(*) AS n FROM cms.records WHERE id = ${id}`))[0]?.n);
  }

  it('migrate one after the other, and none of them fails', async () => {
    await cluster.createDatabase('fresh');
    const writers = await Promise.all(
      cluster.nodes.map((node, n) =>
        Writer.open(dialectFor({ kind: 'server', url: node.url('fresh'), label: `node ${n}`, tls: null })),
      ),
    );

    const counts = await Promise.all(writers.map((writer) => migrate(writer)));

    await Promise.all(writers.map((writer) => writer.onApplicationShutdown()));
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, MIGRATION_NAMES.length]);
  });

  it(`keep a record or the type of it away, in each of ${TYPES_ROUNDS} rounds`, async () => {
    const names = Array.from({ length: TYPES_ROUNDS }, (_, n) => `kind-${n}`);
    for (const name of names) await on(0).post('/api/admin/types').send({ name, fields: [] }).expect(201);
    for (const name of names) while ((await on(1).get(`/api/cms/${name}`)).status !== 200);

    const outcomes = await Promise.all(
      names.map(async (name, n) => {
        const removal = on(0)
          .delete(`/api/admin/types/${name}`)
          .then(({ status }) => status);
        // At different moments of the removal, which waits for writers to end.
        await sleep(n);
        const { status, body } = await on(1).post(`/api/cms/${name}`).send({ title: 'A record' });
        return [await removal, status, status === 201 ? await recordsOf(body.data.id as number) : 0] as const;
      }),
    );

    const lost = outcomes.filter(([removed, created, records]) => created === 201 && (removed < 300 || records !== 1));
    expect(lost).toEqual([]);
    const kept = outcomes.filter(([removed]) => removed === 409).length;
    expect(outcomes.filter(([removed]) => removed < 300)).toHaveLength(TYPES_ROUNDS - kept);
  });

  it(`leave one of two admins who demote each other, in each of ${ADMINS_ROUNDS} rounds`, async () => {
    const ids: number[] = [];
    for (const name of ['ana', 'ben']) {
      const user = { name, email: `${name}@example.com`, role: 'admin', password: 'a long password of an admin' };
      ids.push((await on(0).post('/api/users').send(user).expect(201)).body.id as number);
    }
    const outcomes: number[][] = [];
    const left: unknown[] = [];

    for (let round = 0; round < ADMINS_ROUNDS; round += 1) {
      await cluster.node(2).query("UPDATE cms.users SET role = 'admin', password_given_at = NULL");
      const answers = await Promise.all(
        ids.map((id, n) => on(n).put(`/api/users/${id}`).send({ role: 'editor' }).expect(/./)),
      );
      outcomes.push(answers.map(({ status }) => status).toSorted((a, b) => a - b));
      const rows = await cluster.node(0).latest("SELECT COUNT(*) AS n FROM cms.users WHERE role = 'admin'");
      left.push(rows[0]?.n);
    }

    expect(new Set(outcomes.map(String))).toEqual(new Set(['200,409']));
    expect(new Set(left)).toEqual(new Set([1]));
  });
});
