import { mkdirSync, writeFileSync } from 'node:fs';
import { constant, create, list, readById, saveOfCopy, update } from './support/cases.js';
import { compare, HEADING, type Side } from './support/compare.js';
import { CROWD, updateTogether } from './support/crowd.js';
import { ask, type Body } from './support/load.js';
import { DATA_DIR, DATABASE_URL, LOG_LEVEL, ONLY, POSTS, ROUNDS, SECONDS } from './support/options.js';
import { removeOthers, seededPosts } from './support/posts.js';
import { pinClient, ServiceProcess } from './support/service.js';

const PER_PAGE = 15;
const CONSTANTS = `${DATA_DIR}/constants.json`;
const deepPage = Math.ceil((POSTS / PER_PAGE) * 0.9);

pinClient();
const posts = await seededPosts();
await removeOthers(posts);
const service = await ServiceProcess.start('src/main.js');
const get = (path: string): Promise<Body> => ask(service, { method: 'GET', path });
const bodies = {
  read: await get(`/api/cms/post/${posts.first}`),
  list15: await get('/api/cms/post?per_page=15'),
  list100: await get('/api/cms/post?per_page=100'),
};
mkdirSync(DATA_DIR, { recursive: true });
writeFileSync(CONSTANTS, JSON.stringify(bodies));
const frame = await ServiceProcess.start('bench/constant-app.js', [], { BENCH_CONSTANTS: CONSTANTS });

const side = (title: string, work: Side['work'], on = service): Side => ({ title, service: on, work });
const same = (name: keyof typeof bodies): Side => side(`constant ${name}`, constant(name, bodies[name]), frame);
const bytes = (name: keyof typeof bodies): Side =>
  side(`bytes ${name}`, constant(`${name}/bytes`, bodies[name]), frame);

process.stdout.write(`${new Date().toISOString()} Node ${process.version}, ${DATABASE_URL.replace(/\/\/.*@/, '//')}, `);
process.stdout.write(`${POSTS} posts, log ${LOG_LEVEL}, ${ROUNDS} rounds of ${SECONDS} s each\n${HEADING}`);
const read = side('read by id', readById(posts));
const first = side('list 15 + total', list({ per_page: PER_PAGE }, POSTS));
await compare(read, same('read'));
await compare(read, bytes('read'));
await compare(first, same('list15'));
await compare(first, bytes('list15'));
await compare(side('list 15, published', list({ per_page: PER_PAGE, status: 'published' })), same('list15'));
await compare(side('list 100', list({ per_page: 100 }, POSTS)), same('list100'));
await compare(side('page at 90 % depth', list({ per_page: PER_PAGE, page: deepPage }, POSTS)), first);
await compare(
  side('page in the middle', list({ per_page: PER_PAGE, page: Math.ceil(POSTS / PER_PAGE / 2) }, POSTS)),
  first,
);
await compare(side('create', create()), side('update', update(posts)));
await compare(side('save of a copy', saveOfCopy(posts)), side('update', update(posts)));

if ('crowd'.includes(ONLY)) {
  const many = Array.from({ length: CROWD }, (_, i) => posts.first + i * Math.floor(POSTS / CROWD));
  const one = many.map(() => posts.first);
  for (const [title, ids] of [
    ['different records', many],
    ['one record', one],
  ] as const) {
    const ms = await updateTogether(service, ids);
    process.stdout.write(`\n${CROWD} updates at once of ${title}: all done after ${ms.toFixed(0)} ms`);
  }
  process.stdout.write('\n');
}
await frame.stop();
await service.stop();
await removeOthers(posts);
