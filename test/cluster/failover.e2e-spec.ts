import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminHealthView } from '../../src/health/admin-health.js';
import type { OwnServer } from '../support/own-server.js';
import { waitFor } from '../support/mailbox.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Replication } from './replication.js';

const WRITERS = 8;
const TURNS = 4;
/** How long after the other server takes writes an instance may go without one that is acknowledged. */
const MAX_PAUSE_MS = 5_000;

interface Sent {
  readonly title: string;
  readonly instance: number;
  readonly status: number;
  readonly error: string;
  /** When it was answered. */
  readonly at: number;
}

describe('The server that is written to', () => {
  let servers: Replication;
  let instances: readonly TestApp[];
  let hosts: readonly [OwnServer, OwnServer];

  beforeAll(async () => {
    servers = await Replication.start(1);
    hosts = [servers.primary, servers.replica(0)];
    const environment = {
      RATE_LIMITS: 'off',
      DATABASE_URL: hosts[0].url,
      DATABASE_HOSTS: `127.0.0.1:${hosts[1].port}`,
    };
    instances = [await startTestApp(environment), await startTestApp(environment)];
    const type = { name: 'note', label: 'Note', fields: [] };
    await on(0).post('/api/admin/types').send(type).expect(201);
    for (const n of [0, 1]) while ((await on(n).get('/api/cms/note')).status !== 200);
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.close()));
    await servers.stop();
  });

  function on(n: number) {
    const instance = instances[n];
    if (!instance) throw new Error(`There is no instance ${n}.`);
    return instance.http();
  }

  /** Makes records until {@link end}, half of them through each instance, and sends none of them twice. */
  function write() {
    const sent: Sent[] = [];
    let isOver = false;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; !isOver; n += 1) {
        const instance = writer % 2;
        const title = `Record ${writer}-${n} of ${performance.now()}`;
        const { status, body } = await on(instance).post('/api/cms/note').send({ title });
        const { error = '' } = body as { error?: string };
        sent.push({ title, instance, status, error, at: performance.now() });
        if (status !== 201) await sleep(20);
      }
    });
    return {
      sent,
      end: async () => {
        isOver = true;
        await Promise.all(writers);
      },
    };
  }

  /** Which server each instance writes to, by its place; -1: none. */
  function currentOf(): Promise<number[]> {
    return Promise.all(
      [0, 1].map(async (n) => {
        const { body } = await on(n).get('/api/admin/health');
        const health = (body as { data?: AdminHealthView }).data;
        return health?.database.hosts.findIndex(({ is_current: isCurrent }) => isCurrent) ?? -1;
      }),
    );
  }

  async function titlesOn(server: OwnServer): Promise<string[]> {
    const rows = (await server.as('root', "SELECT title FROM cms.records WHERE title LIKE 'Record %'")) as {
      title: string;
    }[];
    return rows.map(({ title }) => title);
  }

  const firstAfter = (sent: readonly Sent[], instance: number, at: number) =>
    sent.find((one) => one.instance === instance && one.status === 201 && one.at > at);

  it(`is the next one within ${MAX_PAUSE_MS} ms where it becomes read_only, for all instances, and nothing is written twice`, async () => {
    const writing = write();
    const pauses: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const [from, to] = turn % 2 === 0 ? hosts : ([hosts[1], hosts[0]] as const);
      await waitFor(() => Promise.resolve(writing.sent.length > 50 * (turn + 1) ? true : null), 'writes');
      await servers.change(from, to);
      const changed = performance.now();
      for (const instance of [0, 1]) {
        const first = await waitFor(
          () => Promise.resolve(firstAfter(writing.sent, instance, changed)),
          `a write through instance ${instance}`,
        );
        pauses.push(first.at - changed);
      }
      const place = (turn + 1) % 2;
      expect(await currentOf()).toEqual([place, place]);
    }
    await writing.end();

    const { sent } = writing;
    const there = await titlesOn(hosts[TURNS % 2 === 0 ? 0 : 1]);
    const acknowledged = sent.filter(({ status }) => status === 201).map(({ title }) => title);
    const refused = sent.filter(({ status }) => status !== 201);
    const figures = { sent: sent.length, refused: refused.length, longestMs: Math.round(Math.max(...pauses)) };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(Math.max(...pauses)).toBeLessThan(MAX_PAUSE_MS);
    expect(refused.filter(({ status }) => status !== 503)).toEqual([]);
    expect(there).toHaveLength(new Set(there).size);
    expect(acknowledged.filter((title) => !there.includes(title))).toEqual([]);
    // What is said not to have been made was not made by a try behind the answer either.
    const undone = new Set(refused.filter(({ error }) => error === 'overloaded').map(({ title }) => title));
    expect(there.filter((title) => undone.has(title))).toEqual([]);
  });

  it('is the next one when it is killed, and an unanswered COMMIT is not sent there again', async () => {
    const writing = write();
    await waitFor(() => Promise.resolve(writing.sent.length > 100 ? true : null), 'writes');
    await hosts[0].kill();
    await hosts[1].as('root', 'STOP SLAVE');
    await hosts[1].as('root', 'SET GLOBAL read_only = 0');
    const changed = performance.now();
    const firsts = await Promise.all(
      [0, 1].map((instance) =>
        waitFor(() => Promise.resolve(firstAfter(writing.sent, instance, changed)), `instance ${instance}`),
      ),
    );
    const current = await currentOf();
    await writing.end();

    const there = await titlesOn(hosts[1]);
    const refused = writing.sent.filter(({ status }) => status !== 201);
    const unknown = refused.filter(({ error }) => error === 'outcome_unknown').length;
    const longestMs = Math.round(Math.max(...firsts.map(({ at }) => at - changed)));
    process.stdout.write(
      `${JSON.stringify({ sent: writing.sent.length, refused: refused.length, unknown, longestMs })}\n`,
    );
    expect(longestMs).toBeLessThan(MAX_PAUSE_MS);
    expect(current).toEqual([1, 1]);
    expect(refused.filter(({ status }) => status !== 503)).toEqual([]);
    expect(there).toHaveLength(new Set(there).size);
  });
});
