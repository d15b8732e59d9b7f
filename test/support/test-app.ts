import type { INestApplication } from '@nestjs/common';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import supertest from 'supertest';
import { createApp } from '../../src/app/app.setup.js';
import { JobQueue } from '../../src/common/jobs/job-queue.js';
import { JobRunner } from '../../src/common/jobs/job-runner.js';
import { readSettings, type Settings } from '../../src/config/settings.js';
import { DatabaseProbe } from '../../src/health/database-probe.js';
import { createMigratedDatabase } from './migrated-database.js';
import type { TestDatabase } from './test-database.js';

/** Secrets of tokens that every test application knows, by what they may do. */
export const TOKENS = {
  /** Everything. */
  admin: 'test-admin-token-0123456789',
  /** Published records only. */
  reader: 'test-reader-token-0123456789',
  /** Drafts too. */
  editor: 'test-editor-token-0123456789',
} as const;

export const API_TOKENS = [
  `admin=${TOKENS.admin}`,
  `reader=${TOKENS.reader};records:read`,
  `editor=${TOKENS.editor};records:read records:create records:update records:delete records:publish drafts:read`,
].join(',');

/** Settings of tests that sign in: a hash of a password costs as little as Argon2 allows, and not what it does in a service. */
export const CHEAP_PASSWORDS = {
  passwordCost: { memoryCost: 64, timeCost: 1, parallelism: 1 },
} satisfies Partial<Settings>;

/** The whole service on a database of its own. What repeats in the background waits until a test runs it. */
export interface TestApp {
  readonly app: INestApplication<Server>;
  readonly database: TestDatabase;
  /** A request with the token that may do everything, or with another one. */
  http(token?: string): ReturnType<typeof supertest.agent>;
  /** A request without any credential. */
  anonymous(): ReturnType<typeof supertest.agent>;
  /** Runs a background job once, by the name that its `@Job` gives it. */
  run(job: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param repeats whether jobs in the background repeat, as they do in a service
 * @param port 0: any that is free
 */
export async function startTestApp(
  environment: Record<string, string> = {},
  overrides: Partial<Settings> = {},
  { repeats = false, port = 0 } = {},
): Promise<TestApp> {
  const database = await createMigratedDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'cms-data-'));
  const settings = Object.assign(
    readSettings('test', {
      API_TOKENS,
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      // Tests send hundreds of requests at once with one token.
      MAX_REQUESTS: '4096',
      ...environment,
    }),
    CHEAP_PASSWORDS,
    overrides,
  );
  const every = repeats ? null : jest.spyOn(JobQueue.prototype, 'every').mockReturnValue();
  // A busy machine holds up the event loop of a test as well.
  const app = await createApp(settings, pino({ level: settings.logLevel }), { isLoopWatched: false });
  await app.listen(port, '127.0.0.1');
  every?.mockRestore();
  // Readiness is what the last second has shown.
  const probing = setInterval(() => void app.get(DatabaseProbe, { strict: false }).probe(), 1_000).unref();
  const server = app.getHttpServer();
  return {
    app,
    database,
    http: (token: string = TOKENS.admin) => supertest.agent(server).set('Authorization', `Bearer ${token}`),
    anonymous: () => supertest.agent(server),
    run: (job) => app.get(JobRunner).run(job),
    close: async () => {
      clearInterval(probing);
      await app.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A service on an existing database that hashes passwords at the cost of production. */
export function atFullCost(databaseUrl: string): Promise<TestApp> {
  const { passwordCost } = readSettings('test', {});
  return startTestApp({ RATE_LIMITS: 'off', DATABASE_URL: databaseUrl }, { passwordCost });
}
