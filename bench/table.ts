import { mkdirSync, writeFileSync } from 'node:fs';
import { constant, create, list, readById, update } from './support/cases.js';
import { median } from './support/compare.js';
import { databaseCpu } from './support/database-process.js';
import { ask, measure, warmUp, type Body, type Work } from './support/load.js';
import { DATA_DIR, DATABASE_URL, ONLY, POSTS, ROUNDS, SECONDS } from './support/options.js';
import { removeOthers, seededPosts } from './support/posts.js';
import { indexed, searches, wordsOfAHundredth } from './support/search-words.js';
import { pinClient, ServiceProcess } from './support/service.js';
import { accounts, loginCall, remove } from './support/sign-ins.js';

const PEOPLE = 20;
const CONSTANTS = `${DATA_DIR}/constants.json`;
const HEADING = `
| request | req/s | service µs CPU | database µs CPU | p50 / p99 ms | constant of that size, req/s | by CPU |
|---|---|---|---|---|---|---|
`;

type Constant = 'read' | 'list15' | 'list100';

pinClient();
const posts = await seededPosts();
await removeOthers(posts);
const service = await ServiceProcess.start('src/main.js');
const get = (path: string): Promise<Body> => ask(service, { method: 'GET', path });
const bodies: Record<Constant, Body> = {
  read: await get(`/api/cms/post/${posts.first}`),
  list15: await get('/api/cms/post?per_page=15'),
  list100: await get('/api/cms/post?per_page=100'),
};
mkdirSync(DATA_DIR, { recursive: true });
writeFileSync(CONSTANTS, JSON.stringify(bodies));
const frame = await ServiceProcess.start('bench/constant-app.js', [], { BENCH_CONSTANTS: CONSTANTS });
const people = await accounts(service, PEOPLE);
await indexed(service);
const words = await wordsOfAHundredth(service, 20);
const databaseSeconds = databaseCpu();

/** One round: what the service did, and what the database spent on it. */
async function round(on: ServiceProcess, work: Work) {
  const before = databaseSeconds();
  const figures = await measure(on, work, SECONDS);
  const databaseMicros = ((databaseSeconds() - before) / (figures.perSecond * SECONDS)) * 1e6;
  return { ...figures, databaseMicros };
}

async function row(title: string, work: Work, same?: Constant): Promise<void> {
  if (!title.includes(ONLY)) return;
  const other = same && constant(same, bodies[same]);
  await warmUp(service, work, Math.min(2, SECONDS));
  if (other) await warmUp(frame, other, 1);
  const rounds: Awaited<ReturnType<typeof round>>[] = [];
  const others: Awaited<ReturnType<typeof round>>[] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    rounds.push(await round(service, work));
    if (other) others.push(await round(frame, other));
  }
  const of = (key: keyof (typeof rounds)[number], from = rounds): number => median(from.map((one) => one[key]));
  const cells = [
    title,
    of('perSecond').toFixed(0),
    of('cpuMicros').toFixed(0),
    of('databaseMicros').toFixed(0),
    `${of('p50Ms').toFixed(1)} / ${of('p99Ms').toFixed(1)}`,
    other ? of('perSecond', others).toFixed(0) : '',
    other ? `${((of('cpuMicros', others) / of('cpuMicros')) * 100).toFixed(0)} %` : '',
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

let next = 0;
const login: Work = {
  next: () => loginCall(people[(next += 1) % people.length] ?? { id: 0, email: '' }),
  check: ({ token }) => {
    if (typeof token !== 'string') throw new Error('A sign-in has given no token.');
  },
};

process.stdout.write(`${new Date().toISOString()} Node ${process.version}, ${DATABASE_URL.replace(/\/\/.*@/, '//')}, `);
process.stdout.write(`${POSTS} posts, ${ROUNDS} rounds of ${SECONDS} s each\n${HEADING}`);
await row('read by id', readById(posts), 'read');
await row('list 15 + total', list({ per_page: 15 }, POSTS), 'list15');
await row('list 15, published', list({ per_page: 15, status: 'published' }), 'list15');
await row('list at 90 % depth', list({ per_page: 15, page: Math.ceil((POSTS / 15) * 0.9) }, POSTS), 'list15');
await row('list 100', list({ per_page: 100 }, POSTS), 'list100');
await row('search, 20 words in turn', searches(words));
await row('create', create());
await row('update', update(posts));
await row('login', login);
process.stdout.write(`\nResident ${service.residentMiB().toFixed(0)} MiB.\n`);
await remove(service, people);
await frame.stop();
await service.stop();
await removeOthers(posts);
