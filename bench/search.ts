import { ask, type Body, type Call } from './support/load.js';
import { DATABASE_URL, POSTS, ROUNDS } from './support/options.js';
import { seededPosts } from './support/posts.js';
import { command, pinClient, ServiceProcess } from './support/service.js';
import { Prose } from './support/text.js';

const REQUESTS = 40;
const CANDIDATES = 250;
const SHARE = 0.01;

interface Word {
  readonly word: string;
  readonly total: number;
}

const search = (q: string, page = 1): Call => ({ method: 'GET', path: `/api/cms/search?q=%22${q}%22&page=${page}` });

async function totalOf(service: ServiceProcess, word: string): Promise<number> {
  const answer: Body = await ask(service, search(word));
  return Number(answer.meta.total);
}

/** A word of all posts, and one of a hundredth of them. */
async function words(service: ServiceProcess): Promise<{ all: Word; hundredth: Word }> {
  const prose = new Prose(1);
  const seen = new Set(Array.from({ length: CANDIDATES }, () => prose.title().toLowerCase().split(' ')).flat());
  const found: Word[] = [];
  for (const word of [...seen].filter((one) => one.length > 2).slice(0, CANDIDATES)) {
    found.push({ word, total: await totalOf(service, word) });
  }
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

function line(name: string, times: readonly number[]): string {
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? NaN).toFixed(1);
  return `| ${name} | ${at(0.5)} | ${at(0.99)} |`;
}

/** Reads of single posts while one client searches without a pause. */
async function readsBeside(service: ServiceProcess, word: string): Promise<number[]> {
  const state = { isOver: false };
  const searching = (async () => {
    for (let page = 1; !state.isOver; page = (page % 50) + 1) await ask(service, search(word, page));
  })();
  const times = await timesOf(service, (turn) =>
    Promise.resolve({ method: 'GET', path: `/api/cms/post/${(turn * 7_919) % POSTS || 1}` }),
  );
  state.isOver = true;
  await searching;
  return times;
}

await seededPosts();
pinClient();
const service = await ServiceProcess.start('src/main.js');
if ((await totalOf(service, new Prose(1).title().toLowerCase().split(' ')[1] ?? '')) === 0) {
  await command(DATABASE_URL, ['search', 'reindex']);
}
const { all, hundredth } = await words(service);
const lines = ['| case | p50 ms | p99 ms |', '| --- | --- | --- |'];
for (const { word, total } of [hundredth, all]) {
  const touch = async (turn: number): Promise<Call> => {
    await ask(service, { method: 'PATCH', path: '/api/cms/post/1', body: { title: `Touched ${Date.now()} ${turn}` } });
    return search(word);
  };
  lines.push(line(`${total} hits, asked again`, await timesOf(service, () => Promise.resolve(search(word)))));
  lines.push(line(`${total} hits, after a write`, await timesOf(service, touch)));
  lines.push(line(`${total} hits, page 200`, await timesOf(service, () => Promise.resolve(search(word, 200)))));
  lines.push(line(`reads by id beside searches of ${total} hits`, await readsBeside(service, word)));
}
lines.push('', `${DATABASE_URL}: ${POSTS} posts, resident ${service.residentMiB().toFixed(0)} MiB after it`);
process.stdout.write(`${lines.join('\n')}\n`);
await service.stop();
