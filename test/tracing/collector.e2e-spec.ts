import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtService } from '../support/built-service.js';
import { call, Child, production } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { freePort } from '../support/free-port.js';
import { OtlpReceiver } from '../support/otlp-receiver.js';
import type { TestDatabase } from '../support/test-database.js';

const MODULES = resolve(__dirname, '../../node_modules');
const SDK = '@opentelemetry/sdk-trace-node';
/** A service that refuses to start has ended long before. */
const STARTED_BY_MS = 60_000;
const LOST = 'spans could not be sent, and are lost';

describe('The collector of traces', () => {
  let database: TestDatabase;
  let collector: OtlpReceiver;
  let child: Child;

  beforeAll(async () => {
    database = await createMigratedDatabase();
  });

  beforeEach(async () => {
    collector = await OtlpReceiver.start();
  });

  afterEach(async () => {
    await child.kill('SIGKILL');
    await collector.stop();
  });

  afterAll(() => database.drop());

  /** Batches are sent at once, and given up soon. */
  function start(more: Record<string, string>): Child {
    child = new Child('main.js', [], {
      ...production(database),
      OTEL_TRACES_SAMPLER_ARG: '1',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      ...more,
    });
    return child;
  }

  const read = async (): Promise<number> => (await call(await child.address(), 'GET', '/api/cms/post')).status;
  const lines = (message: string) => child.log.filter(({ msg }) => msg === message);

  it('gets at a stop what was not sent yet, with the trace that the log names', async () => {
    start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_BSP_SCHEDULE_DELAY: '3600000' });
    expect(await read()).toBe(200);
    expect(collector.spans).toEqual([]);

    expect(await child.kill('SIGTERM')).toEqual({ code: 0, signal: null });

    const request = collector.spans.find(({ name }) => name === 'GET /api/cms/:type');
    const line = child.log.find(({ path, status }) => path === '/api/cms/post' && status === 200);
    expect(request?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(line?.trace_id).toBe(request?.traceId);
  });

  it('gets spans while the service runs', async () => {
    start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    expect(await read()).toBe(200);

    expect((await collector.named('GET /api/cms/:type')).kind).toBe('server');
    expect(lines(LOST)).toEqual([]);
  });

  it('that refuses is named in one line a minute, and no request fails for it', async () => {
    collector.mood = 'refuse';
    start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    while (collector.headers.length < 5) expect(await read()).toBe(200);

    await child.kill('SIGTERM');
    expect(lines(LOST)).toEqual([expect.objectContaining({ level: 40, reason: '400' })]);
  });

  it('that is not there slows nothing, and does not hold up a stop', async () => {
    start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${String(await freePort())}` });
    while (lines(LOST).length === 0) {
      expect(await read()).toBe(200);
      await sleep(20);
    }

    expect(await child.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(lines(LOST)).toEqual([expect.objectContaining({ reason: 'ECONNREFUSED' })]);
  });

  it('that hangs slows nothing, and holds up a stop for its share of the time only', async () => {
    collector.mood = 'hang';
    start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: '3600000' });
    while (collector.headers.length === 0) expect(await read()).toBe(200);
    expect(await read()).toBe(200);

    expect(await child.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(lines('the last spans could not be sent')).toHaveLength(1);
  });

  it('has its packages loaded where it is set, and nowhere else', async () => {
    const loaded = async (more: Record<string, string>): Promise<boolean> => {
      start({ NODE_DEBUG: 'module', ...more });
      await child.address();
      await child.kill('SIGTERM');
      return child.stderr.includes(SDK);
    };

    expect(await loaded({})).toBe(false);
    expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })).toBe(true);
  });
});

describe('An installation without the packages for traces', () => {
  it('ends with 78 and a sentence where they are asked for', () => {
    const folder = installationWithoutTraces();
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'src/main.js')], {
      cwd: folder,
      encoding: 'utf8',
      timeout: STARTED_BY_MS,
      env: {
        PATH: process.env.PATH,
        ...production({ url: `sqlite:${join(folder, 'cms.sqlite')}` }),
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      },
    });
    rmSync(folder, { recursive: true });

    expect(stderr).toBe(
      'The settings do not fit:\n  - OTEL_EXPORTER_OTLP_ENDPOINT is set, and the packages for traces are not installed. ' +
        'Use an image that is built with --build-arg WITH_TRACING=1, or remove the setting.\n',
    );
    expect(status).toBe(78);
  });
});

/** The built service beside all packages but those. `@opentelemetry/api` is none of them: every installation has it. */
function installationWithoutTraces(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cms-untraced-'));
  cpSync(dirname(builtService()), folder, { recursive: true });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@opentelemetry'), { recursive: true });
  for (const name of readdirSync(MODULES)) {
    if (name !== '@opentelemetry' && !name.startsWith('.')) symlinkSync(join(MODULES, name), join(modules, name));
  }
  symlinkSync(join(MODULES, '@opentelemetry/api'), join(modules, '@opentelemetry/api'));
  return folder;
}
