import { median } from './support/compare.js';
import { databaseCpu } from './support/database-process.js';
import { ask, measure, warmUp, type Call, type Work } from './support/load.js';
import { DATABASE_URL, ONLY, POSTS, ROUNDS, SECONDS } from './support/options.js';
import { seededPosts } from './support/posts.js';
import {
  beginningWith,
  indexed,
  newSearches,
  searches,
  searchFor,
  someWords,
  totalOf,
  wordsOfAHundredth,
  type Word,
} from './support/search-words.js';
import { pinClient, ServiceProcess } from './support/service.js';

const REQUESTS = 40;
const WORDS = 20;
const CLIENTS = 10;
const FIRST_CANDIDATES = 250;
const SHARE = 0.01;
/** Words of all posts begin so. */
const BEGINNINGS = ['ba', 'cor'];
const databaseSeconds = databaseCpu();

/** A word of all posts, and one of a hundredth of them. */
async function words(service: ServiceProcess): Promise<{ all: Word; hundredth: Word }> {
  const found: Word[] = [];
  for (const word of someWords().slice(0, FIRST_CANDIDATES)) found.push({ word, total: await totalOf(service, word) });
  const nearest = (total: number): Word =>
    found.reduce((best, one) => (Math.abs(one.total - total) < Math.abs(best.total - total) ? one : best));
  return { all: nearest(POSTS), hundredth: nearest(POSTS * SHARE) };
}

/** Times of requests that come one after the other, in milliseconds. */
async function timesOf(service: ServiceProcess, next: (turn: number) => Promise<Call>): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < REQUESTS * ROUNDS; turn += 1) {
    const call = await next(turn);
    const started = performance.now();
    await ask(service, call);
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b);
}

const at = (times: readonly number[], share: number) => (times[Math.floor(times.length * share)] ?? NaN).toFixed(1);

function line(name: string, times: readonly number[]): string {
  return `| ${name} | ${at(times, 0.5)} | ${at(times, 0.99)} |`;
}

/** Reads of single posts while one client searches without a pause. */
async function readsBeside(service: ServiceProcess, word: string): Promise<number[]> {
  const state = { isOver: false };
  const searching = (async () => {
    for (let page = 1; !state.isOver; page = (page % 50) + 1) await ask(service, searchFor(word, page));
  })();
  const times = await timesOf(service, (turn) =>
    Promise.resolve({ method: 'GET', path: `/api/cms/post/${(turn * 7_919) % POSTS || 1}` }),
  );
  state.isOver = true;
  await searching;
  return times;
}

/** Measures the CPU that service and database spend on each request. */
async function spent(service: ServiceProcess, work: () => Promise<number>): Promise<{ n: number; cpu: string }> {
  const before = [service.cpuSeconds(), databaseSeconds()] as const;
  const n = await work();
  const micros = (seconds: number): string => ((seconds / n) * 1e6).toFixed(0);
  return { n, cpu: `${micros(service.cpuSeconds() - before[0])} | ${micros(databaseSeconds() - before[1])}` };
}

/** Requests a second of ten clients, the median of some rounds. */
async function crowd(service: ServiceProcess, name: string, work: Work): Promise<string> {
  await warmUp(service, work, Math.min(2, SECONDS));
  const rounds: Awaited<ReturnType<typeof measure>>[] = [];
  const { cpu } = await spent(service, async () => {
    let n = 0;
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      const figures = await measure(service, work, SECONDS);
      rounds.push(figures);
      n += Math.round(figures.perSecond * SECONDS);
    }
    return n;
  });
  const of = (key: 'perSecond' | 'p50Ms' | 'p99Ms', digits = 1) =>
    median(rounds.map((one) => one[key])).toFixed(digits);
  return `| ${name} | ${of('perSecond', 0)} | ${cpu} | ${of('p50Ms')} / ${of('p99Ms')} |`;
}

/** Each word once, by ten clients, in a service that was never asked for it. */
async function firstAsked(service: ServiceProcess, some: readonly Word[]): Promise<string> {
  const { next, check } = searches(some);
  const times: number[] = [];
  const started = performance.now();
  const { n, cpu } = await spent(service, async () => {
    const client = async (): Promise<void> => {
      while (times.length + running < some.length) {
        running += 1;
        const from = performance.now();
        await ask(service, next(), check);
        running -= 1;
        times.push(performance.now() - from);
      }
    };
    let running = 0;
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return times.length;
  });
  const perSecond = ((n / (performance.now() - started)) * 1000).toFixed(0);
  times.sort((a, b) => a - b);
  return `| ${n} words, each asked for the first time | ${perSecond} | ${cpu} | ${at(times, 0.5)} / ${at(times, 0.99)} |`;
}

async function crowds(): Promise<string[]> {
  const finding = await ServiceProcess.start('src/main.js');
  const found = await wordsOfAHundredth(finding, 2 * WORDS);
  await finding.stop();
  const service = await ServiceProcess.start('src/main.js');
  const [warm, first] = [found.slice(0, WORDS), found.slice(WORDS)];
  const lines = ['| case | req/s | service µs CPU | database µs CPU | p50 / p99 ms |', '|---|---|---|---|---|'];
  lines.push(await crowd(service, `${WORDS} words in turn`, searches(warm)));
  lines.push(await firstAsked(service, first));
  lines.push(await crowd(service, `${WORDS} words in turn, no two queries the same`, newSearches(warm)));
  lines.push('', `resident ${service.residentMiB().toFixed(0)} MiB after it`, '');
  await service.stop();
  return lines;
}

async function single(): Promise<string[]> {
  const service = await ServiceProcess.start('src/main.js');
  const { all, hundredth } = await words(service);
  const lines = ['| case | p50 ms | p99 ms |', '| --- | --- | --- |'];
  const afterWrite = async (turn: number, call: Call): Promise<Call> => {
    const body = { title: `Touched ${Date.now()} ${turn}` };
    await ask(service, { method: 'PATCH', path: '/api/cms/post/1', body });
    return call;
  };
  for (const start of BEGINNINGS) {
    const name = `beginning of ${start.length} letters, not counted, after a write`;
    lines.push(line(name, await timesOf(service, (turn) => afterWrite(turn, beginningWith(start)))));
  }
  for (const { word, total } of [hundredth, all]) {
    const touch = (turn: number): Promise<Call> => afterWrite(turn, searchFor(word));
    lines.push(line(`${total} hits, asked again`, await timesOf(service, () => Promise.resolve(searchFor(word)))));
    lines.push(line(`${total} hits, after a write`, await timesOf(service, touch)));
    lines.push(line(`${total} hits, page 200`, await timesOf(service, () => Promise.resolve(searchFor(word, 200)))));
    lines.push(line(`reads by id beside searches of ${total} hits`, await readsBeside(service, word)));
  }
  lines.push('', `resident ${service.residentMiB().toFixed(0)} MiB after it`, '');
  await service.stop();
  return lines;
}

await seededPosts();
pinClient();
const first = await ServiceProcess.start('src/main.js');
await indexed(first);
await first.stop();
process.stdout.write(`${DATABASE_URL.replace(/\/\/.*@/, '//')}: ${POSTS} posts\n\n`);
if ('crowd'.includes(ONLY)) process.stdout.write(`${(await crowds()).join('\n')}\n`);
if ('single'.includes(ONLY)) process.stdout.write(`${(await single()).join('\n')}\n`);
