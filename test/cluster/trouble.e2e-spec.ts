import { spawn, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Galera } from './galera.js';

const COUNTER_ROUNDS = 50;
const WRITERS = 12;
/** Longest time in which no instance on another node acknowledges a write, when one is lost. */
const MAX_PAUSE_MS = 5_000;

describe('Writes through all nodes of a cluster with busy processors', () => {
  let cluster: Galera;
  let instances: TestApp[] = [];
  let burners: ChildProcess[] = [];

  beforeAll(async () => {
    cluster = await Galera.start();
    await cluster.createDatabase('cms');
    instances = await Promise.all(
      cluster.nodes.map((node) => startTestApp({ DATABASE_URL: node.url('cms'), RATE_LIMITS: 'off' })),
    );
    const type = { name: 'counter', label: 'Counter', fields: [{ name: 'n', type: 'integer', indexed: true }] };
    await on(0).post('/api/admin/types').send(type).expect(201);
    burners = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;);']));
  });

  afterAll(async () => {
    for (const burner of burners) burner.kill('SIGKILL');
    await Promise.all(instances.map((instance) => instance.close()));
    await cluster.stop();
  });

  function on(n: number) {
    const instance = instances[n];
    if (!instance) throw new Error(`There is no instance ${n}.`);
    return instance.http();
  }
  const count = async (node: number, sql: string) =>
    Number((await cluster.node(node).latest(`SELECT COUNT(*) AS n FROM cms.${sql}`))[0]?.n);

  /** Adds one to a record until that is acknowledged. */
  async function addOne(n: number, path: string): Promise<void> {
    for (;;) {
      const found = await on(n).get(path);
      // A node shows what another one has committed a moment later.
      if (found.status === 404) continue;
      const { status } = await on(n)
        .put(path)
        .set('If-Match', found.headers.etag ?? '')
        .send({ n: (found.body.data.n as number) + 1 });
      if (status === 200) return;
      if (status !== 412 && status !== 503) throw new Error(`The write was answered with ${status}.`);
    }
  }

  /** Writes on nodes until {@link Writing.end}, and remembers what was acknowledged. */
  function write(nodes: readonly number[]) {
    const acknowledged: { readonly id: number; readonly node: number; readonly at: number }[] = [];
    const refused = new Set<number>();
    let isOver = false;
    const writers = Array.from({ length: WRITERS }, async (_, n) => {
      const node = nodes[n % nodes.length] ?? 0;
      while (!isOver) {
        const { status, body } = await on(node).post('/api/cms/counter').send({ title: 'A record', n });
        if (status === 201) acknowledged.push({ id: body.data.id as number, node, at: performance.now() });
        else {
          refused.add(status);
          await sleep(20);
        }
      }
    });
    return {
      acknowledged,
      refused,
      end: async () => {
        isOver = true;
        await Promise.all(writers);
      },
    };
  }

  async function acknowledgedOn(writing: ReturnType<typeof write>, nodes: readonly number[], more: number) {
    const since = writing.acknowledged.length;
    const fresh = () => writing.acknowledged.slice(since).filter(({ node }) => nodes.includes(node)).length;
    while (fresh() < more) await sleep(50);
  }

  function longestPause(writing: ReturnType<typeof write>, nodes: readonly number[]): number {
    const times = writing.acknowledged.filter(({ node }) => nodes.includes(node)).map(({ at }) => at);
    return Math.max(...times.slice(1).map((at, n) => at - (times[n] ?? at)));
  }

  /** Acknowledged records that a node lacks, and rows of records of which a part is missing. */
  async function damage(writing: ReturnType<typeof write>, node: number): Promise<readonly number[]> {
    const ids = writing.acknowledged.map(({ id }) => id);
    const there = await count(node, `records WHERE id IN (${ids.join(', ')})`);
    const without = (table: string) =>
      count(node, `records r LEFT JOIN cms.${table} o ON o.record_id = r.id WHERE o.record_id IS NULL`);
    const leftOver = (table: string) =>
      count(node, `${table} o LEFT JOIN cms.records r ON r.id = o.record_id WHERE r.id IS NULL`);
    return [
      ids.length - there,
      ...[await without('record_contents'), await without('revisions'), await without('record_fields')],
      ...[await leftOver('record_contents'), await leftOver('revisions'), await leftOver('record_fields')],
    ];
  }

  it(`count right in each of ${COUNTER_ROUNDS} rounds`, async () => {
    const wrong: unknown[] = [];
    for (let round = 0; round < COUNTER_ROUNDS; round += 1) {
      const created = await on(0)
        .post('/api/cms/counter')
        .send({ title: `Round ${round}`, n: 0 })
        .expect(201);
      const path = `/api/cms/counter/${created.body.data.id as number}`;

      await Promise.all(Array.from({ length: WRITERS }, (_, n) => addOne(n % instances.length, path)));

      const history = await count(0, `revisions WHERE record_id = ${created.body.data.id as number}`);
      const { body } = await on(0).get(path);
      const found = [body.data.n, body.data.version, history];
      if (String(found) !== String([WRITERS, WRITERS + 1, WRITERS + 1])) wrong.push(found);
    }

    expect(wrong).toEqual([]);
  });

  it('lose nothing and stand still for less than five seconds when a node freezes', async () => {
    const writing = write([0, 1, 2]);
    await acknowledgedOn(writing, [0, 1, 2], 60);

    cluster.node(2).freeze();
    await acknowledgedOn(writing, [0, 1], 100);
    cluster.node(2).thaw();
    await acknowledgedOn(writing, [2], 10);
    await writing.end();

    while ((await cluster.node(2).state()) !== 'Synced') await sleep(100);
    const pause = longestPause(writing, [0, 1]);
    process.stdout.write(
      `frozen: ${writing.acknowledged.length} acknowledged, others paused ${Math.round(pause)} ms\n`,
    );
    for (const node of [0, 1, 2]) expect(await damage(writing, node)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(pause).toBeLessThan(MAX_PAUSE_MS);
  });

  it('lose nothing and stand still for less than five seconds when a node is killed', async () => {
    const writing = write([0, 1, 2]);
    await acknowledgedOn(writing, [0, 1, 2], 60);

    await cluster.node(2).kill();
    await acknowledgedOn(writing, [0, 1], 100);
    await writing.end();

    const pause = longestPause(writing, [0, 1]);
    process.stdout.write(
      `killed: ${writing.acknowledged.length} acknowledged, others paused ${Math.round(pause)} ms\n`,
    );
    for (const node of [0, 1]) expect(await damage(writing, node)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(pause).toBeLessThan(MAX_PAUSE_MS);
    await cluster.node(2).start();
    expect(await damage(writing, 2)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it('are refused as a whole while two of three nodes are gone, and nothing that was acknowledged is lost', async () => {
    const writing = write([0]);
    await acknowledgedOn(writing, [0], 30);

    await Promise.all([cluster.node(1).kill(), cluster.node(2).kill()]);
    while (!writing.refused.has(503)) await sleep(50);
    while ((await on(0).get('/health/ready')).status !== 503) await sleep(50);
    const { status, headers } = await on(0).post('/api/cms/counter').send({ title: 'Alone', n: 0 });
    const live = await on(0).get('/health/live');

    expect([status, live.status]).toEqual([503, 200]);
    expect(headers['retry-after']).toMatch(/^\d+$/);
    await cluster.node(0).query("SET GLOBAL wsrep_provider_options = 'pc.bootstrap=YES'");
    await acknowledgedOn(writing, [0], 30);
    await writing.end();
    while ((await on(0).get('/health/ready')).status !== 200) await sleep(50);
    expect([...writing.refused].filter((refusal) => refusal !== 503)).toEqual([]);
    expect(await damage(writing, 0)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });
});
