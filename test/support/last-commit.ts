import { QueryFailedError } from 'typeorm';
import { Reads } from '../../src/database/statements/reads.js';
import { Writer } from '../../src/database/statements/writer.js';
import { CommitProxy } from './commit-proxy.js';
import { startTestApp, type TestApp } from './test-app.js';

/** Longer than anything that the service remembers goes for true, milliseconds. */
const LATER_MS = 60_000;

/** A service whose database answers a certain `COMMIT` and nothing after it; and which remembers nothing lately read. */
export interface LastCommit {
  readonly service: TestApp;
  /** @param text that one of the statements of the unit has */
  after(text: string): void;
  /** Has nothing answered from now on. */
  cut(): void;
  /** Whether nothing is answered. */
  readonly isCut: boolean;
  heal(): void;
  stop(): Promise<void>;
}

/** @param url of a server, as `TEST_DATABASE_URL` has it; none: the database is a file */
export async function startLastCommit(url: string | undefined): Promise<LastCommit> {
  const last = url === undefined ? await onFile() : await onServer(url);
  outliveMemories(last);
  return last;
}

/** Until mocks are restored, each cut comes {@link LATER_MS} later. Time never goes back: what waits for it would hang. */
function outliveMemories(last: LastCommit): void {
  const now = performance.now.bind(performance);
  let [later, wasCut] = [0, false];
  jest.spyOn(performance, 'now').mockImplementation(() => {
    if (last.isCut && !wasCut) later += LATER_MS;
    wasCut = last.isCut;
    return now() + later;
  });
}

async function onServer(url: string): Promise<LastCommit> {
  const proxy = await CommitProxy.start(url);
  process.env.TEST_DATABASE_URL = proxy.url;
  const service = await startTestApp();
  return {
    service,
    after: (text) => {
      proxy.next('last', text);
    },
    cut: () => (proxy.isCut = true),
    get isCut() {
      return proxy.isCut;
    },
    heal: () => (proxy.isCut = false),
    stop: async () => {
      await service.close();
      process.env.TEST_DATABASE_URL = url;
      await proxy.stop();
    },
  };
}

/** A file answers as long as it is there; what reads it fails as where another process has locked it. */
async function onFile(): Promise<LastCommit> {
  const service = await startTestApp();
  const state: { text: string | null; isCut: boolean } = { text: null, isCut: false };
  watchCommits(service, state);
  const reads = service.app.get(Reads, { strict: false });
  const select = reads.select.bind(reads);
  jest.spyOn(reads, 'select').mockImplementation((sql, values = []) => {
    if (!state.isCut) return select<never>(sql, values);
    const locked = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
    return Promise.reject(new QueryFailedError(sql, [...values], locked));
  });
  return {
    service,
    after: (text) => {
      state.text = text;
    },
    cut: () => (state.isCut = true),
    get isCut() {
      return state.isCut;
    },
    heal: () => (state.isCut = false),
    stop: () => service.close(),
  };
}

function watchCommits({ app }: TestApp, state: { text: string | null; isCut: boolean }): void {
  const { dialect, source } = app.get(Writer, { strict: false });
  // A file has one connection that writes, and all units of work go through it.
  const runner = source.createQueryRunner();
  const query = runner.query.bind(runner) as (...call: unknown[]) => Promise<unknown>;
  const commit = dialect.commit.bind(dialect);
  let isMeant = false;
  jest.spyOn(runner, 'query').mockImplementation((...call: unknown[]) => {
    isMeant ||= state.text !== null && JSON.stringify(call).includes(state.text);
    return query(...call);
  });
  jest.spyOn(dialect, 'commit').mockImplementation(async (unit) => {
    await commit(unit);
    if (!isMeant) return;
    Object.assign(state, { text: null, isCut: true });
    isMeant = false;
  });
}
