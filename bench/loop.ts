import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './support/compare.js';
import { makeContent } from './support/loop-content.js';
import type { LoopCase } from './support/loop-case.js';
import type { LongestHold } from './support/loop-watch.js';
import { loopCases } from './support/loop-cases.js';
import { DATA_DIR, DATABASE_URL, ONLY, POSTS, ROUNDS } from './support/options.js';
import { createDatabase } from './support/posts.js';
import { slowestHealth } from './support/raw.js';
import { command, LOOP_WATCH, pinClient, ServiceProcess } from './support/service.js';

/** No request holds the loop longer, milliseconds. */
const LIMIT_MS = 50;
/** The same without a credential. */
const OPEN_LIMIT_MS = 20;
/** The same for one record of the largest size. */
const LARGEST_LIMIT_MS = 150;
const QUIET_MS = 50;
const AFTER_START_MS = 500;
/** The answer of a service whose loop is held already: it costs nothing, so it says nothing of the request. */
const REFUSED = '503';
/** Rounds of a case that is over its limit. */
const TRIES = 3;
const HEADING = `
| request | status | held ms | on a core | longest, on a core | with waiting for the core | request ms | slowest /health/live | resident MiB | limit |
|---|---|---|---|---|---|---|---|---|---|
`;

const url = DATABASE_URL.startsWith('sqlite:') ? `sqlite:${DATA_DIR}/loop-${POSTS}.sqlite` : `${DATABASE_URL}_loop`;

/** Observations of one run of a case, milliseconds. */
interface Seen extends LongestHold {
  readonly time: number;
  readonly health: number;
  readonly status: string;
}

function startService(): Promise<ServiceProcess> {
  const profile = process.env.BENCH_PROFILE ?? 'no';
  const google = { GOOGLE_CLIENT_ID: 'bench', GOOGLE_CLIENT_SECRET: 'bench' };
  const extra = { DATABASE_URL: url, SITE_URL: 'https://example.com', LOOP_PROFILE: profile, ...google };
  return ServiceProcess.start('src/main.js', LOOP_WATCH, extra);
}

async function runOnce(shared: ServiceProcess, one: LoopCase, turn: number): Promise<Seen> {
  if (one.isFirst !== true) return observe(shared, one, turn);
  const fresh = await startService();
  // What a start leaves for later has its time.
  await sleep(AFTER_START_MS);
  const seen = await observe(fresh, one, turn);
  await fresh.stop();
  return seen;
}

async function observe(service: ServiceProcess, one: LoopCase, turn: number): Promise<Seen> {
  await one.prepare?.(turn);
  await sleep(QUIET_MS);
  await service.longestHold();
  const started = performance.now();
  const run = one.run(turn, service);
  const health = await slowestHealth(service, run);
  const answer = await run;
  const time = answer?.ms ?? performance.now() - started;
  return { ...(await service.longestHold()), time, health, status: String(answer?.status ?? '') };
}

/** The turns of one round. A case that cannot be sent so often has fewer, or none. */
async function runRound(service: ServiceProcess, one: LoopCase, round: number): Promise<Seen[]> {
  const seen: Seen[] = [];
  const last = Math.min((round + 1) * ROUNDS, one.runs ?? Infinity);
  for (let turn = round * ROUNDS; turn < last; turn += 1) seen.push(await runOnce(service, one, turn));
  return seen;
}

/** The run with the median of what was held: a collection of garbage in one of them says nothing of the request. */
function typical(seen: readonly Seen[]): Seen | undefined {
  return seen.toSorted((a, b) => a.heldMs - b.heldMs)[Math.floor((seen.length - 1) / 2)];
}

function limitOf({ isOpen, isLargest }: LoopCase): number {
  if (isOpen) return OPEN_LIMIT_MS;
  return isLargest === true ? LARGEST_LIMIT_MS : LIMIT_MS;
}

/** The best of up to three rounds: one that is within the limit ends it, since what the request costs is in each of them. */
async function measureCase(service: ServiceProcess, one: LoopCase): Promise<boolean> {
  const limit = limitOf(one);
  const all: Seen[] = [];
  const rounds: Seen[] = [];
  for (let round = 0; round < TRIES; round += 1) {
    const seen = await runRound(service, one, round);
    all.push(...seen);
    const middle = typical(seen);
    if (middle) rounds.push(middle);
    if (!middle || middle.heldMs <= limit) break;
  }
  const best = rounds.reduce((a, b) => (b.heldMs < a.heldMs ? b : a));
  const isOver = best.heldMs > limit || isRefused(all);
  print(isOver ? `**${one.title}**` : one.title, limit, best, all);
  if (isOver) process.stdout.write(best.profile.map((line) => `${line}\n`).join(''));
  return isOver;
}

function isRefused(all: readonly Seen[]): boolean {
  return all.some(({ status }) => status === REFUSED);
}

function print(title: string, limit: number, best: Seen, all: readonly Seen[]): void {
  const most = (key: 'heldMs' | 'wallMs' | 'health'): string => ms(Math.max(...all.map((run) => run[key])));
  const longest = all.reduce((a, b) => (b.heldMs > a.heldMs ? b : a));
  const cells = [
    title,
    [...new Set(all.map(({ status }) => status))].join(', '),
    ms(best.heldMs),
    ms(best.cpuMs),
    `${ms(longest.heldMs)}, ${ms(longest.cpuMs)}`,
    most('wallMs'),
    ms(median(all.map(({ time }) => time))),
    most('health'),
    mib(best.memory.rss),
    String(limit),
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

function mib(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}

await createDatabase({ url });
await command(url, ['migrate']);
pinClient();
const service = await startService();
await makeContent(service, url);
process.stdout.write(`${new Date().toISOString()} Node ${process.version}, ${url.replace(/\/\/.*@/, '//')}, `);
process.stdout.write(`${POSTS} records, ${ROUNDS} runs of each\n${HEADING}`);
const isAsked = ({ title, isLast }: LoopCase): boolean => (ONLY === '' ? isLast !== true : title.includes(ONLY));
const cases = (await loopCases({ service, databaseUrl: url })).filter(isAsked);
let over = 0;
for (const one of cases) if (await measureCase(service, one)) over += 1;
process.stdout.write(`\n${over} of ${cases.length} hold the loop longer than they may. `);
const { memory } = await service.longestHold();
process.stdout.write(`Resident ${mib(memory.rss)} MiB: heap ${mib(memory.heapUsed)} of ${mib(memory.heapTotal)}, `);
process.stdout.write(`outside of it ${mib(memory.external)}, array buffers among that ${mib(memory.arrayBuffers)}.\n`);
await service.stop();
