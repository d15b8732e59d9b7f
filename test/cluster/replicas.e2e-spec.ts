import mysql from 'mysql2/promise';
import type { AdminHealthView } from '../../src/health/admin-health.js';
import { waitFor } from '../support/mailbox.js';
import type { OwnServer } from '../support/own-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Following } from './following.js';
import { Replication } from './replication.js';

/** Tokens that only read: so many that each replica is the home of some. */
const READERS = Array.from({ length: 8 }, (_, n) => `reading-token-${n}-0123456789`);
const ADMIN = 'admin-token-of-replicas-0123456789';
const API_TOKENS = [
  `admin=${ADMIN}`,
  ...READERS.map((secret, n) => `reader-${n}=${secret};records:read drafts:read revisions:read`),
].join(',');
/** What a replica may show that has stopped to follow: two seconds, a heartbeat and a look at it; and a busy machine. */
const MOST_STALE_MS = 6_000;
const HOUR_MS = 3_600_000;
const POOL = 10;
const RUSH = 40;

describe('Replicas', () => {
  let servers: Replication;
  let service: TestApp;
  let id: number;
  /** The replica that each token reads. */
  let homes: readonly number[];

  beforeAll(async () => {
    servers = await Replication.start(2);
    for (const replica of servers.replicas) {
      await replica.as('root', "SET GLOBAL log_output = 'TABLE', general_log = 1");
      await replica.as('root', "CREATE USER reader@'127.0.0.1'");
      await replica.as('root', "GRANT SELECT ON cms.* TO reader@'127.0.0.1'");
    }
    service = await startTestApp({
      API_TOKENS,
      RATE_LIMITS: 'off',
      DATABASE_URL: servers.primary.url,
      DATABASE_REPLICA_URLS: servers.replicas.map(({ url }) => url.replace('app@', 'reader@')).join(),
    });
    const type = { name: 'counter', label: 'Counter', fields: [{ name: 'n', type: 'integer', indexed: true }] };
    await service.http(ADMIN).post('/api/admin/types').send(type).expect(201);
    const { body } = await service.http(ADMIN).post('/api/cms/counter').send({ title: 'A record', n: 0 }).expect(201);
    id = body.data.id as number;
    homes = await allHomes([0, 1]);
  });

  afterAll(async () => {
    await service.close();
    await servers.stop();
  });

  const follow = () => Following.start({ service, path: `/api/cms/counter/${id}`, writer: ADMIN, readers: READERS });

  async function shown(token: string): Promise<number> {
    const answer = await service.http(token).get(`/api/cms/counter/${id}`).expect(200);
    return answer.body.data.n as number;
  }

  async function database(): Promise<AdminHealthView['database']> {
    const { body } = await service.http(ADMIN).get('/api/admin/health').expect(200);
    return (body.data as AdminHealthView).database;
  }

  async function newestBeat(server: OwnServer): Promise<number> {
    const [row] = (await server.as('root', 'SELECT MAX(at) AS at FROM cms.heartbeats')) as { at: number | string }[];
    return Number(row?.at);
  }

  /** Statements about records that a replica was sent since it was started. */
  async function readsOf(replica: OwnServer): Promise<number> {
    const sql =
      "SELECT COUNT(*) AS n FROM mysql.general_log WHERE command_type = 'Query' AND argument LIKE '%records r%' AND argument NOT LIKE '%general_log%'";
    return Number(((await replica.as('root', sql)) as { n: number }[])[0]?.n);
  }

  const allReads = () => Promise.all(servers.replicas.map((replica) => readsOf(replica).catch(() => 0)));

  /** Which replica a token reads; -1: none. */
  async function homeOf(token: string): Promise<number> {
    const before = await allReads();
    await shown(token);
    return (await allReads()).findIndex((n, at) => n > (before[at] ?? 0));
  }

  async function homesNow(): Promise<readonly number[]> {
    const found: number[] = [];
    for (const token of READERS) found.push(await homeOf(token));
    return found;
  }

  /** Waits until all tokens read one of these replicas, and each of these is read. */
  function allHomes(which: readonly number[]): Promise<readonly number[]> {
    return waitFor(async () => {
      const found = await homesNow();
      return which.every((home) => found.includes(home)) && found.every((home) => which.includes(home)) ? found : null;
    }, `the replicas ${which.join()} to be read`);
  }

  /** Waits until the replicas that may be read are these. */
  function areFit(expected: readonly boolean[]): Promise<unknown> {
    return waitFor(async () => {
      const { replicas } = await database();
      return replicas.every(({ is_read: isRead }, n) => isRead === expected[n]) ? true : null;
    }, `the replicas to be fit: ${expected.join()}`);
  }

  it('are read by callers who cannot write, always the same one by each, and by no others', async () => {
    const before = await allReads();
    for (let n = 0; n < 50; n += 1) {
      expect(await shown(ADMIN)).toBe(0);
      await service.http(ADMIN).get('/api/cms/counter').expect(200);
    }
    expect(await allReads()).toEqual(before);

    for (const token of READERS) await service.http(token).get('/api/cms/counter?filter[n]=0&page=1').expect(200);

    const after = await allReads();
    expect(after.map((n, at) => n > (before[at] ?? 0))).toEqual([true, true]);
    expect(await homesNow()).toEqual(homes);
  });

  it('take no writes from the service, whatever they would take themselves', async () => {
    const [read] = (await servers.primary.as('root', 'SELECT COUNT(*) AS n FROM cms.heartbeats')) as { n: number }[];
    expect(read?.n).toBe(1);
    const sql =
      "SELECT COUNT(*) AS n FROM mysql.general_log WHERE argument LIKE '%READ COMMITTED, READ ONLY' AND argument NOT LIKE '%general_log%' AND command_type = 'Query'";
    for (const replica of servers.replicas) {
      const [row] = (await replica.as('root', sql)) as { n: number }[];
      expect(row?.n).toBeGreaterThan(0);
    }
  });

  it('that stop to follow are left for the writer in time, and come back when they have caught up', async () => {
    const following = follow();
    await following.reads(50);
    for (const replica of servers.replicas) await replica.as('root', 'STOP SLAVE SQL_THREAD');
    await areFit([false, false]);
    await following.reads(50);
    for (const replica of servers.replicas) await replica.as('root', 'START SLAVE SQL_THREAD');
    await areFit([true, true]);
    await following.reads(100);

    const seen = await following.end();

    expect(seen).toMatchObject({ failed: [], backwards: [], staleWriter: [] });
    expect(seen.mostStaleMs).toBeLessThan(MOST_STALE_MS);
    expect(await allHomes([0, 1])).toEqual(homes);
  });

  it('that stop to follow are left, too, where the clock of the database was set back by an hour', async () => {
    await servers.primary.as('root', `UPDATE cms.heartbeats SET at = at + ${HOUR_MS}`);
    await waitFor(async () => {
      const beats = await Promise.all([servers.primary, ...servers.replicas].map(newestBeat));
      return beats.every((beat) => beat > Date.now() + HOUR_MS / 2) ? true : null;
    }, 'the replicas to have the heartbeat of a clock that is ahead');
    await areFit([true, true]);
    const following = follow();
    await following.reads(50);
    for (const replica of servers.replicas) await replica.as('root', 'STOP SLAVE SQL_THREAD');
    await areFit([false, false]);
    await following.reads(50);
    for (const replica of servers.replicas) await replica.as('root', 'START SLAVE SQL_THREAD');
    await areFit([true, true]);
    await following.reads(100);

    const seen = await following.end();

    expect(seen).toMatchObject({ failed: [], backwards: [], staleWriter: [] });
    expect(seen.mostStaleMs).toBeLessThan(MOST_STALE_MS);
    expect(await allHomes([0, 1])).toEqual(homes);
    await servers.primary.as('root', `UPDATE cms.heartbeats SET at = at - ${HOUR_MS}`);
  });

  it('that are five seconds behind are not read: every caller sees what was written before the question', async () => {
    const delay = async (seconds: number) => {
      for (const replica of servers.replicas) {
        await replica.as('root', 'STOP SLAVE');
        await replica.as('root', `CHANGE MASTER TO MASTER_DELAY = ${seconds}`);
        await replica.as('root', 'START SLAVE');
      }
    };
    await delay(5);
    await areFit([false, false]);
    const before = await allReads();

    for (let n = 1; n <= 20; n += 1) {
      const value = 1_000_000 + n;
      await service.http(ADMIN).put(`/api/cms/counter/${id}`).send({ n: value }).expect(200);
      expect(new Set(await Promise.all(READERS.map(shown)))).toEqual(new Set([value]));
    }

    expect(await allReads()).toEqual(before);
    await delay(0);
    expect(await allHomes([0, 1])).toEqual(homes);
  });

  it('of which one is killed leave its callers to the other one, and none of them sees a failure', async () => {
    const following = follow();
    await following.reads(50);
    await servers.replica(0).kill();
    await areFit([false, true]);
    await following.reads(50);
    const meanwhile = await waitFor(async () => {
      const before = await readsOf(servers.replica(1));
      await Promise.all(READERS.map(shown));
      return (await readsOf(servers.replica(1))) - before >= READERS.length ? true : null;
    }, 'all callers to read the other replica');
    await servers.replica(0).startAgain();
    await servers.replica(0).as('root', "SET GLOBAL read_only = 1, log_output = 'TABLE', general_log = 1");
    await areFit([true, true]);
    await following.reads(100);

    expect(meanwhile).toBe(true);
    expect(await following.end()).toMatchObject({ failed: [], backwards: [], staleWriter: [] });
    expect(await allHomes([0, 1])).toEqual(homes);
  });

  it('of which one hangs keep no caller waiting for good, and it is read again when it goes on', async () => {
    const following = follow();
    await following.reads(50);
    servers.replica(0).freeze();
    await areFit([false, true]);
    await following.reads(50);
    servers.replica(0).thaw();
    await areFit([true, true]);
    await following.reads(100);

    expect(await following.end()).toMatchObject({ failed: [], backwards: [], staleWriter: [] });
    expect(await allHomes([0, 1])).toEqual(homes);
  });

  it('that are slow take no connection from those who write', async () => {
    const token = READERS[homes.indexOf(0)] ?? '';
    const lock = await mysql.createConnection({ host: '127.0.0.1', port: servers.replica(0).port, user: 'root' });
    await lock.query('LOCK TABLES cms.records WRITE');
    const reads = Array.from({ length: RUSH }, (_, n) =>
      service.http(token).get(`/api/cms/counter?filter[n][ne]=${n}`).expect(200),
    );
    const answers = Promise.all(reads);
    const full = await waitFor(async () => {
      const seen = await database();
      return seen.replicas[0]?.pool.active === POOL ? seen : null;
    }, 'the connections to the replica to be taken');

    for (let n = 0; n < 50; n += 1) await service.http(ADMIN).get('/api/cms/counter').expect(200);
    const { pools } = await database();
    lock.destroy();

    expect(full.replicas[0]?.pool.waiting).toBeGreaterThan(0);
    expect([...full.pools, ...pools].map(({ waiting }) => waiting)).toEqual([0, 0, 0, 0]);
    expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: RUSH }, () => 200));
  });
});
