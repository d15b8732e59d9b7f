import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Galera } from './galera.js';
import { SwitchedProxy } from '../support/switched-proxy.js';

const WRITERS = 12;
const INSTANCES = 2;

describe('Instances that write through one node of a cluster', () => {
  let cluster: Galera;
  let address: SwitchedProxy;
  let instances: TestApp[] = [];

  beforeAll(async () => {
    cluster = await Galera.start();
    await cluster.createDatabase('cms');
    address = await SwitchedProxy.start(cluster.node(0).url('cms'));
    const settings = { DATABASE_URL: address.url, RATE_LIMITS: 'off' };
    for (let n = 0; n < INSTANCES; n += 1) instances.push(await startTestApp(settings, {}, { repeats: true }));
    const type = { name: 'counter', label: 'Counter', fields: [{ name: 'n', type: 'integer', indexed: true }] };
    await on(0).post('/api/admin/types').send(type).expect(201);
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.close()));
    instances = [];
    await address.stop();
    await cluster.stop();
  });

  function on(n: number) {
    const instance = instances[n];
    if (!instance) throw new Error(`There is no instance ${n}.`);
    return instance.http();
  }
  const count = async (node: number, sql: string) =>
    Number((await cluster.node(node).latest(`SELECT COUNT(*) AS n FROM cms.${sql}`))[0]?.n);

  /** Writes through all instances until {@link Writing.end}, and remembers what was acknowledged. */
  function write() {
    const acknowledged: number[] = [];
    const refused = new Set<number>();
    let isOver = false;
    const writers = Array.from({ length: WRITERS }, async (_, n) => {
      while (!isOver) {
        const { status, body } = await on(n % INSTANCES)
          .post('/api/cms/counter')
          .send({ title: 'A record', n });
        if (status === 201) acknowledged.push(body.data.id as number);
        else {
          refused.add(status);
          await sleep(20);
        }
      }
    });
    return {
      acknowledged,
      refused,
      /** Resolves when so many more were acknowledged. */
      more: async (some: number) => {
        for (const until = acknowledged.length + some; acknowledged.length < until;) await sleep(50);
      },
      end: async () => {
        isOver = true;
        await Promise.all(writers);
      },
    };
  }

  /** Acknowledged records that a node lacks, and rows of records of which a part is missing. */
  async function damage({ acknowledged }: ReturnType<typeof write>, node: number): Promise<readonly number[]> {
    const there = await count(node, `records WHERE id IN (${acknowledged.join(', ')})`);
    const without = (table: string) =>
      count(node, `records r LEFT JOIN cms.${table} o ON o.record_id = r.id WHERE o.record_id IS NULL`);
    const leftOver = (table: string) =>
      count(node, `${table} o LEFT JOIN cms.records r ON r.id = o.record_id WHERE r.id IS NULL`);
    return [
      acknowledged.length - there,
      ...[await without('record_contents'), await without('revisions'), await without('record_fields')],
      ...[await leftOver('record_contents'), await leftOver('revisions'), await leftOver('record_fields')],
    ];
  }
  const NONE = [0, 0, 0, 0, 0, 0, 0];

  it('lose nothing while another node freezes', async () => {
    const writing = write();
    await writing.more(60);

    cluster.node(2).freeze();
    await writing.more(100);
    cluster.node(2).thaw();
    await writing.end();

    while ((await cluster.node(2).state()) !== 'Synced') await sleep(100);
    for (const node of [0, 1, 2]) expect(await damage(writing, node)).toEqual(NONE);
  });

  it('lose nothing while another node is killed', async () => {
    const writing = write();
    await writing.more(60);

    await cluster.node(2).kill();
    await writing.more(100);
    await writing.end();

    for (const node of [0, 1]) expect(await damage(writing, node)).toEqual(NONE);
    await cluster.node(2).start();
    expect(await damage(writing, 2)).toEqual(NONE);
  });

  it('lose nothing and write no half units when they are led to another node under load', async () => {
    const writing = write();
    await writing.more(60);

    address.switchTo(cluster.node(1).url('cms'));
    await writing.more(60);
    address.switchTo(cluster.node(0).url('cms'));
    await writing.more(60);
    await writing.end();

    expect([...writing.refused].filter((status) => status !== 503)).toEqual([]);
    for (const node of [0, 1, 2]) expect(await damage(writing, node)).toEqual(NONE);
  });

  it('lose nothing when the node that they write to is killed, and they are led to another one', async () => {
    const writing = write();
    await writing.more(60);

    await cluster.node(0).kill();
    address.switchTo(cluster.node(1).url('cms'));
    await writing.more(60);
    await writing.end();

    for (const node of [1, 2]) expect(await damage(writing, node)).toEqual(NONE);
    await cluster.node(0).start();
    address.switchTo(cluster.node(0).url('cms'));
  });

  it('are refused as a whole while two of three nodes are gone, and nothing that was acknowledged is lost', async () => {
    const writing = write();
    await writing.more(30);

    await Promise.all([cluster.node(1).kill(), cluster.node(2).kill()]);
    while (!writing.refused.has(503)) await sleep(50);
    while ((await on(0).get('/health/ready')).status !== 503) await sleep(50);
    const { status, headers } = await on(0).post('/api/cms/counter').send({ title: 'Alone', n: 0 });
    const live = await on(0).get('/health/live');

    expect([status, live.status]).toEqual([503, 200]);
    expect(headers['retry-after']).toMatch(/^\d+$/);
    await cluster.node(0).query("SET GLOBAL wsrep_provider_options = 'pc.bootstrap=YES'");
    await writing.more(30);
    await writing.end();
    while ((await on(0).get('/health/ready')).status !== 200) await sleep(50);
    expect([...writing.refused].filter((refusal) => refusal !== 503)).toEqual([]);
    expect(await damage(writing, 0)).toEqual(NONE);
  });
});
