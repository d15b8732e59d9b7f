import { list, readById } from './support/cases.js';
import { compare, HEADING, type Side } from './support/compare.js';
import { DATABASE_URL, ROUNDS, seedOf, SECONDS, type Seed } from './support/options.js';
import { removeOthers, seededPosts, type Posts } from './support/posts.js';
import { pinClient, ServiceProcess } from './support/service.js';

const SMALL = 10_000;
const LARGE = Number(process.env.BENCH_LARGE ?? 1_000_000);
const PER_PAGE = 15;

/** One service on a database of one size. */
interface Grown {
  readonly seed: Seed;
  readonly posts: Posts;
  readonly service: ServiceProcess;
}

pinClient();
const small = await grown(seedOf(SMALL));
const large = await grown(seedOf(LARGE));
process.stdout.write(`${new Date().toISOString()} Node ${process.version}, ${DATABASE_URL.replace(/\/\/.*@/, '//')}, `);
process.stdout.write(`A: ${LARGE} posts, B: ${SMALL} posts, ${ROUNDS} rounds of ${SECONDS} s each\n${HEADING}`);
await inTurns('read by id', ({ posts }) => readById(posts));
await inTurns('list 15 + total', ({ seed }) => list({ per_page: PER_PAGE }, seed.size));
await inTurns('list 15, published', () => list({ per_page: PER_PAGE, status: 'published' }));
await small.service.stop();
await large.service.stop();

async function grown(seed: Seed): Promise<Grown> {
  const posts = await seededPosts(seed);
  await removeOthers(posts, seed);
  return { seed, posts, service: await ServiceProcess.start('src/main.js', [], { DATABASE_URL: seed.url }) };
}

/** The same work on both databases. */
async function inTurns(title: string, work: (on: Grown) => Side['work']): Promise<void> {
  const side = (on: Grown): Side => ({ title: `${title}, ${on.seed.size}`, service: on.service, work: work(on) });
  await compare(side(large), side(small));
}
