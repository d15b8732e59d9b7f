import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from '../src/app/app.setup.js';
import { AccessTokens, VerifiedAccess } from '../src/auth/tokens/access/verified-access.js';
import { CallerResolver } from '../src/auth/guards/bearer.guard.js';
import { SessionOpener } from '../src/auth/sessions/lifecycle/session-opener.js';
import { readSettings } from '../src/config/settings.js';
import { UnitOfWork } from '../src/database/units/unit-of-work.js';
import { Accounts } from '../src/users/rows/accounts.js';
import { Passwords } from '../src/users/passwords/passwords.js';
import { requireEmail } from '../src/users/user-fields.js';
import { readById } from './support/cases.js';
import { compare, HEADING, median } from './support/compare.js';
import { ask, type Body, type Work } from './support/load.js';
import { DATABASE_URL, LOG_LEVEL, ROUNDS, SECONDS, TOKEN } from './support/options.js';
import { seededPosts } from './support/posts.js';
import { pinClient, ServiceProcess } from './support/service.js';
import { accounts, loginCall, loginsAtOnce, loginsPerSecond, readsDuring, remove } from './support/sign-ins.js';

const PEOPLE = 20;
const CROWD = 200;
const CHECKS = 50_000;
const FIRST_CHECKS = 2_000;

/** The median of several rounds, in which each of the works has its turn. @returns microseconds of one */
async function microsOfEach(works: readonly ((index: number) => Promise<unknown>)[], times: number): Promise<number[]> {
  const rounds: number[][] = works.map(() => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [place, work] of works.entries()) {
      const cpu = process.cpuUsage();
      for (let index = 0; index < times; index += 1) await work(index);
      const { user, system } = process.cpuUsage(cpu);
      // The first round compiles.
      if (round > 0) rounds[place]?.push((user + system) / times);
    }
  }
  return rounds.map(median);
}

/** Measures the check of a token without a request around it. */
async function measureChecks(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cms-bench-'));
  const settings = readSettings('test', {
    DATABASE_URL: `sqlite:${folder}/cms.sqlite`,
    DATA_DIR: folder,
    API_TOKENS: `bench=${TOKEN}`,
  });
  const app = await createApp(settings, pino({ level: 'silent' }));
  await app.init();
  const account = await app
    .get(UnitOfWork)
    .run((manager) =>
      app.get(Accounts).register(manager, requireEmail('ann@example.com'), { name: 'Ann', isProved: true }),
    );
  const visitor = { ip: '127.0.0.1', userAgent: null, requestId: 'bench' };
  const proof = { account, amr: ['pwd'], event: 'login' as const, visitor };
  const session = await app.get(UnitOfWork).run((manager) => app.get(SessionOpener).open(manager, proof));
  const tokens = await Promise.all(Array.from({ length: FIRST_CHECKS }, () => app.get(AccessTokens).issue(session)));
  const credentials = app.get(CallerResolver);
  const [token = ''] = tokens;

  const [cached = NaN, configured = NaN] = await microsOfEach(
    [() => credentials.callerOf(token), () => credentials.callerOf(TOKEN)],
    CHECKS,
  );
  const access = app.get(VerifiedAccess);
  const [first = NaN] = await microsOfEach([(index) => access.claimsOf(tokens[index] ?? '')], FIRST_CHECKS);
  const passwords = app.get(Passwords);
  const hash = await passwords.hash('a password for measuring');
  const [verify = NaN] = await microsOfEach([() => passwords.verify('another', hash)], 20);
  await app.close();
  rmSync(folder, { recursive: true });
  process.stdout.write(`\n| checked in the process | µs CPU |\n|---|---|\n`);
  process.stdout.write(`| access token, seen before | ${cached.toFixed(1)} |\n`);
  process.stdout.write(`| token of the settings | ${configured.toFixed(1)} |\n`);
  process.stdout.write(`| access token, for the first time | ${first.toFixed(0)} |\n`);
  process.stdout.write(`| password | ${verify.toFixed(0)} |\n`);
}

pinClient();
const posts = await seededPosts();
const service = await ServiceProcess.start('src/main.js');
const made = await accounts(service, PEOPLE);
const [ann] = made;
if (!ann) throw new Error('There is nobody to sign in.');
const { token }: Body = await ask(service, loginCall(ann));
const { next, check } = readById(posts);
const byAccessToken: Work = { next: () => ({ ...next(), token }), check };

const place = DATABASE_URL.replace(/\/\/.*@/, '//');
process.stdout.write(`${new Date().toISOString()} Node ${process.version}, ${place}, log ${LOG_LEVEL}, `);
process.stdout.write(`${ROUNDS} rounds of ${SECONDS} s each\n${HEADING}`);
await compare(
  { title: 'read, access token', service, work: byAccessToken },
  { title: 'read, token of the settings', service, work: { next, check } },
);
await measureChecks();

const perSecond = await loginsPerSecond(service, made, SECONDS);
process.stdout.write(`\n${perSecond.toFixed(0)} logins/s by ${PEOPLE} people side by side\n`);
const quiet = await readsDuring(service, next, new Promise((resolve) => setTimeout(resolve, 1_000)));
const crowd = loginsAtOnce(service, made, CROWD);
const busy = await readsDuring(service, next, crowd);
const { letIn, turnedAway } = await crowd;
process.stdout.write(`${CROWD} logins at once: ${letIn} let in, ${turnedAway} told to come again. Reads beside them: `);
process.stdout.write(`p50 ${busy.p50Ms.toFixed(1)} ms, p99 ${busy.p99Ms.toFixed(1)} ms (${busy.count}); `);
process.stdout.write(`alone p50 ${quiet.p50Ms.toFixed(1)} ms, p99 ${quiet.p99Ms.toFixed(1)} ms (${quiet.count})\n`);
await remove(service, made);
await service.stop();
