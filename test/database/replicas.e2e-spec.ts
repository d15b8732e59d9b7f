import type { Caller } from '../../src/common/access/caller.js';
import { Dialect } from '../../src/database/dialect/dialect.js';
import { Leases } from '../../src/database/leases/leases.js';
import { Heartbeats } from '../../src/database/replicas/heartbeats.js';
import { Replicas } from '../../src/database/replicas/replicas.js';
import { Reads } from '../../src/database/statements/reads.js';
import { execute } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import type { AdminHealthView } from '../../src/health/admin-health.js';
import { waitFor } from '../support/mailbox.js';
import { OtlpReceiver } from '../support/otlp-receiver.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const HOUR_MS = 3_600_000;
const isServer = process.env.TEST_DATABASE_URL !== undefined;
const READER: Caller = { kind: 'token', id: null, name: 'reader', scopes: new Set(['records:read']) };
const EDITOR: Caller = { kind: 'token', id: null, name: 'editor', scopes: new Set(['records:read', 'records:update']) };

/** The server counts as its own replica: who reads where is the same as with another one (`test/cluster`). */
describe('A database with a replica', () => {
  let database: TestDatabase;
  let service: TestApp;
  let collector: OtlpReceiver;

  beforeAll(async () => {
    database = await createTestDatabase();
    collector = await OtlpReceiver.start();
    const environment: Record<string, string> = isServer
      ? {
          DATABASE_URL: database.url,
          DATABASE_REPLICA_URLS: database.url,
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        }
      : {};
    service = await startTestApp({ ...environment, RATE_LIMITS: 'off' }, {}, { repeats: true });
  });

  afterAll(async () => {
    await service.close();
    await database.drop();
    await collector.stop();
  });

  async function newest(): Promise<number> {
    const [row] = await service.app.get(Reads).select<{ at: number | string }>('SELECT MAX(at) AS at FROM heartbeats');
    return Number(row?.at);
  }

  async function health(): Promise<AdminHealthView['database']> {
    const { body } = await service.http().get('/api/admin/health').expect(200);
    return (body.data as AdminHealthView).database;
  }

  if (!isServer) {
    it('is none of a file, which has no servers to show', async () => {
      const reads = service.app.get(Reads);

      expect(await health()).toEqual({ hosts: [], pools: [], replicas: [] });
      expect([reads.of(READER), service.app.get(Replicas), service.app.get(Heartbeats)]).toEqual([reads, null, null]);
    });
    return;
  }

  it('shows its servers, their connections and the lag', async () => {
    const seen = await waitFor(async () => {
      const now = await health();
      return now.replicas[0]?.is_read ? now : null;
    }, 'the replica to be fit');

    const pool = expect.objectContaining({ active: expect.any(Number), waiting: 0 });
    expect(seen.hosts).toEqual([{ name: expect.any(String), is_current: true, is_answering: true }]);
    expect(seen.pools.map(({ name }) => name)).toEqual(['write', 'read']);
    expect(seen.replicas).toEqual([
      { name: seen.hosts[0]?.name, is_read: true, lag_seconds: expect.any(Number), pool },
    ]);
  });

  it('is read by those who cannot write, once it has all that was committed before', async () => {
    const reads = service.app.get(Reads);
    const { body } = await service.http().post('/api/cms/post').send({ title: 'Seen', status: 'published' });
    const path = `/api/cms/post/${body.data.id}`;
    await waitFor(async () => {
      const { replicas } = await health();
      await service.http(TOKENS.reader).get(path).expect(200);
      const { idle = 0, active = 0 } = replicas[0]?.pool ?? {};
      return idle + active > 0 ? true : null;
    }, 'the replica to be read');

    expect(reads.of(READER)).not.toBe(reads);
    expect(reads.of(EDITOR)).toBe(reads);
    await service.http(TOKENS.reader).get('/api/cms/post?filter[title]=Seen').expect(200);
    await service.http(TOKENS.reader).get('/api/cms/taxonomy/tag').expect(200);
  });

  it('is in the trace of a request that it answers', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    await service.http(TOKENS.reader).get('/api/cms/post/4711').set('traceparent', traceparent).expect(404);

    const spans = () => collector.spans.filter((span) => span.traceId === traceId);
    const request = await waitFor(
      () => Promise.resolve(spans().find(({ kind }) => kind === 'server')),
      'the span of the request',
    );

    expect(spans().find(({ name }) => name === 'SELECT records')?.parentId).toBe(request.spanId);
  });

  it('takes no writes where it is read', async () => {
    const reads = service.app.get(Reads);
    const write = 'UPDATE heartbeats SET at = 0';

    for (const reader of [reads, reads.of(READER)]) {
      await expect(reader.select(write)).rejects.toThrow(/READ ONLY transaction/);
    }
  });

  it('has heartbeats of which each is later than all before', async () => {
    const heartbeats = service.app.get(Heartbeats);
    const beats: number[] = [];

    for (let n = 0; n < 20; n += 1) beats.push(await heartbeats.beat());

    expect(beats).toEqual([...new Set(beats)].toSorted((a, b) => a - b));
  });

  it('has heartbeats while no instance has their lease, though the last one is ahead of the clock of the database', async () => {
    const isHeld = (held: boolean) =>
      waitFor(
        () => Promise.resolve(leases().some(({ name }) => name === 'heartbeat') === held ? true : null),
        held ? 'the lease to be taken' : 'the lease to be lost',
      );
    const leases = () => service.app.get(Leases).held;
    await isHeld(true);
    await service.app.get(Heartbeats).beat();
    const units = service.app.get(UnitOfWork);
    await units.run(async (manager) => {
      const now = service.app.get(Dialect).now;
      await execute(manager, `UPDATE leases SET owner = 'gone', until_at = ${now} + ? WHERE name = 'heartbeat'`, [
        HOUR_MS,
      ]);
      await execute(manager, 'UPDATE heartbeats SET at = at + ?', [HOUR_MS]);
    });
    await isHeld(false);
    const last = await newest();

    // One of them may have been under way.
    await waitFor(async () => ((await newest()) > last + 2 ? true : null), 'more heartbeats');
  });
});
