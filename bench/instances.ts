/**
 * Losses of one instance beside two others on the same database, which have nothing to do but their background work.
 *
 *   DATABASE_URL=mysql://root@127.0.0.1:3306/cms_bench npm run bench:instances
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { create, list, readById } from './support/cases.js';
import { median } from './support/compare.js';
import { measure, warmUp, type Figures, type Work } from './support/load.js';
import { POSTS, ROUNDS, SECONDS } from './support/options.js';
import { removeOthers, seededPosts } from './support/posts.js';
import { pinClient, ServiceProcess } from './support/service.js';

const OTHERS = 2;
const WARM_UP_SECONDS = 2;
/** The work of the others right after their start is left out. */
const SETTLE_MS = 5_000;

interface Row {
  readonly title: string;
  readonly work: Work;
  readonly alone: Figures[];
  readonly beside: Figures[];
}

pinClient();
const posts = await seededPosts();
await removeOthers(posts);
const service = await ServiceProcess.start('src/main.js');
const rowOf = (title: string, work: Work): Row => ({ title, work, alone: [], beside: [] });
const rows = [
  rowOf('read by id', readById(posts)),
  rowOf('list of 15', list({ per_page: 15 })),
  rowOf('create', create()),
];
for (const { work } of rows) await warmUp(service, work, WARM_UP_SECONDS);

async function measureAll(into: 'alone' | 'beside'): Promise<void> {
  for (const row of rows) row[into].push(await measure(service, row.work, SECONDS));
}

for (let round = 0; round < ROUNDS; round += 1) {
  await measureAll('alone');
  const others = await Promise.all(Array.from({ length: OTHERS }, () => ServiceProcess.start('src/main.js')));
  await sleep(SETTLE_MS);
  await measureAll('beside');
  await Promise.all(others.map((other) => other.stop()));
}
await service.stop();

const of = (key: keyof Figures, figures: readonly Figures[]): string =>
  median(figures.map((one) => one[key])).toFixed(key === 'p99Ms' ? 1 : 0);
process.stdout.write(`${new Date().toISOString()} Node ${process.version}, ${POSTS} posts, `);
process.stdout.write(`${ROUNDS} rounds of ${SECONDS} s each, alone / beside ${OTHERS} others\n\n`);
process.stdout.write('| | req/s | µs CPU | p99 ms |\n|---|---|---|---|\n');
for (const { title, alone, beside } of rows) {
  const cells = (['perSecond', 'cpuMicros', 'p99Ms'] as const).map((key) => `${of(key, alone)} / ${of(key, beside)}`);
  process.stdout.write(`| ${title} | ${cells.join(' | ')} |\n`);
}
