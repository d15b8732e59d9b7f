import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { readGauge } from '../../src/common/metrics/read-gauge.js';
import { MetricsServer } from '../../src/metrics/metrics-server.js';
import { Child, production } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { metricsOf, type Metric } from '../support/metric-text.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const MAX_SERIES = 3_500;

describe('Metrics', () => {
  let test: TestApp;
  let server: MetricsServer;

  beforeAll(async () => {
    test = await startTestApp({ METRICS_PORT: '0', RATE_LIMITS: 'verify=1' });
    server = await MetricsServer.open(test.app.get(Registry), { host: '127.0.0.1', port: 0 });
  });

  afterAll(async () => {
    server.close();
    await test.close();
  });

  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method });
  const read = async () => metricsOf(await (await ask('/metrics')).text());
  const named = async (name: string): Promise<readonly Metric[]> =>
    (await read()).filter((metric) => metric.name === name);
  const valueOf = async (name: string, labels: Record<string, string>): Promise<number | undefined> =>
    (await named(name)).find((metric) => Object.entries(labels).every(([key, value]) => metric.labels[key] === value))
      ?.value;

  /** A request is counted when its connection is done with it, which may be after its answer has arrived. */
  async function expectValue(name: string, labels: Record<string, string>, expected: number): Promise<void> {
    let found = await valueOf(name, labels);
    while (found !== expected) {
      await sleep(20);
      found = await valueOf(name, labels);
    }
    expect(found).toBe(expected);
  }

  it('are read on a port of their own, without a credential', async () => {
    const answer = await ask('/metrics');

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect((await ask('/')).status).toBe(404);
    expect((await ask('/metrics', 'POST')).status).toBe(405);
    expect((await test.http().get('/metrics')).status).toBe(404);
  });

  it('count requests by the pattern of their route', async () => {
    const labels = { method: 'GET', route: '/api/cms/:type/:id', status: '4xx' };
    const before = (await valueOf('http_request_duration_seconds_count', labels)) ?? 0;

    await test.http().get('/api/cms/post/4711').expect(404);
    await test.http().get('/api/cms/post/4712').expect(404);

    await expectValue('http_request_duration_seconds_count', labels, before + 2);
    const text = await ask('/metrics').then((answer) => answer.text());
    // In a label: a number of bytes may have these digits.
    expect(text).not.toMatch(/"[^"\n]*4711[^"\n]*"/);
  });

  it('count what fits no route, and methods that there are not, together', async () => {
    const count = 'http_request_duration_seconds_count';
    const none = { method: 'GET', route: 'none', status: '4xx' };
    const before = (await valueOf(count, none)) ?? 0;

    await test.http().get('/nothing/here').expect(404);
    await test.http().get('/nothing/there').expect(404);
    await test.http().propfind('/api/cms/post');

    await expectValue(count, none, before + 2);
    await expectValue(count, { method: 'other', route: 'other' }, 1);
  });

  it('show requests under way', async () => {
    await expectValue('http_requests_in_flight', {}, 0);
  });

  it('count sign-ins, and requests whose budget is spent', async () => {
    const body = { email: 'ann@example.com', code: '123456' };
    await test.anonymous().post('/api/auth/otp/verify').send(body).expect(401);
    await test.anonymous().post('/api/auth/otp/verify').send(body).expect(429);

    expect(await valueOf('cms_sign_ins_total', { method: 'otp', outcome: 'failure' })).toBe(1);
    expect(await valueOf('cms_rate_limited_total', { budget: 'verify' })).toBe(1);
  });

  it('show the queues, the disk, the version and the event loop', async () => {
    const names = new Set((await read()).map(({ name }) => name));

    expect([...names]).toEqual(
      expect.arrayContaining([
        'cms_audit_waiting',
        'cms_build_info',
        'cms_chore_period_seconds',
        'cms_data_dir_free_bytes',
        'cms_data_dir_size_bytes',
        'cms_mail_queue',
        'cms_search_queue',
        'nodejs_eventloop_lag_p99_seconds',
        'process_resident_memory_bytes',
      ]),
    );
    expect(await valueOf('cms_mail_queue', { state: 'late' })).toBe(0);
  });

  it(`have at most ${MAX_SERIES} series, whatever is asked for`, async () => {
    const { body } = await test.http().get('/api/openapi.json').expect(200);
    const operations = Object.entries(body.paths as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => [method.toUpperCase(), path.replace(/\{[^}]*\}/g, '1')] as const),
    );
    const { port } = test.app.getHttpServer().address() as { port: number };
    const send = async (method: string, path: string, headers: Record<string, string> = {}): Promise<void> => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, redirect: 'manual' });
      await answer.body?.cancel();
    };

    for (const [method, path] of operations) {
      await send(method, path);
      await send(method, `${path}?no=such`, { Authorization: 'Bearer test-admin-token-0123456789' });
      await send('OPTIONS', path);
    }
    for (let n = 0; n < 200; n += 1) await send('GET', `/no/such/${String(n)}`);

    const all = await read();
    expect(all.filter(({ name }) => name === 'http_request_duration_seconds_count').length).toBeGreaterThan(50);

    expect(all.length).toBeLessThanOrEqual(MAX_SERIES);
  });

  it('leave out what cannot be read, and show the rest', async () => {
    const registers = [test.app.get(Registry)];
    readGauge({ name: 'broken', help: 'Cannot be read.', registers }, () => Promise.reject(new Error('broken')));

    expect(await named('broken')).toEqual([]);
    expect(await named('cms_build_info')).toHaveLength(1);
  });

  it('can be read if METRICS_PORT is set, and not otherwise', async () => {
    const database = await createMigratedDatabase();
    const isOpened = async (extra: Record<string, string>): Promise<boolean> => {
      const child = new Child('main.js', [], { ...production(database), ...extra });
      await child.address();
      await child.kill('SIGTERM');
      return child.stdout.includes('metrics can be read');
    };

    expect(await isOpened({})).toBe(false);
    expect(await isOpened({ METRICS_PORT: '0' })).toBe(true);
    await database.drop();
  });
});
