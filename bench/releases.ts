/**
 * Measures another build of the service beside this one, in turns, so that a machine that becomes slower is slower for both.
 *
 *   git worktree add ../before <commit> && (cd ../before && npm ci && npm run bench:build)
 *   BENCH_BEFORE=../before npm run bench:releases
 *
 * The other build has a database of its own: of a server, the one with `_before` behind the name.
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as cases from './support/cases.js';
import type * as load from './support/load.js';
import type * as posts from './support/posts.js';
import type * as words from './support/search-words.js';
import type * as services from './support/service.js';
import type * as signIns from './support/sign-ins.js';

const { BENCH_BEFORE, BENCH_ONLY = '', BENCH_ROUNDS = '5', BENCH_SECONDS = '4', DATABASE_URL } = process.env;
const PEOPLE = 20;
const WORDS = 5;

/** Builds read the options when they are loaded, and their files from the folder in which the process is. */
async function buildIn(root: string, url: string | undefined) {
  process.chdir(root);
  if (url !== undefined) process.env.DATABASE_URL = url;
  const support = async <Module>(name: string) =>
    (await import(pathToFileURL(join(root, 'dist/bench/support', `${name}.js`)).href)) as Module;
  const modules = {
    ...(await support<typeof services>('service')),
    ...(await support<typeof cases>('cases')),
    ...(await support<typeof load>('load')),
    ...(await support<typeof posts>('posts')),
    ...(await support<typeof words>('search-words')),
    ...(await support<typeof signIns>('sign-ins')),
  };
  const seeded = await modules.seededPosts();
  await modules.removeOthers(seeded);
  const service = await modules.ServiceProcess.start('src/main.js');
  const people = await modules.accounts(service, PEOPLE);
  let searched: readonly words.Word[] = [];
  if ('search'.includes(BENCH_ONLY)) {
    await modules.indexed(service);
    searched = await modules.wordsOfAHundredth(service, WORDS);
  }
  return { ...modules, root, seeded, service, people, searched };
}

type Build = Awaited<ReturnType<typeof buildIn>>;

function logins({ people, loginCall }: Build): load.Work {
  let next = 0;
  return {
    next: () => loginCall(people[(next += 1) % people.length] ?? { id: 0, email: '' }),
    check: ({ token }) => {
      if (typeof token !== 'string') throw new Error('A sign-in has given no token.');
    },
  };
}

const CASES: Readonly<Record<string, (build: Build) => load.Work>> = {
  'read by id': ({ readById, seeded }) => readById(seeded),
  'list 15 + total': ({ list }) => list({ per_page: 15 }),
  'list 15, published': ({ list }) => list({ per_page: 15, status: 'published' }),
  'list at 90 % depth': ({ list, seeded }) => list({ per_page: 15, page: Math.ceil((seeded.last / 15) * 0.9) }),
  'list 100': ({ list }) => list({ per_page: 100 }),
  search: ({ searches, searched }) => searches(searched),
  create: ({ create }) => create(),
  update: ({ update, seeded }) => update(seeded),
  login: logins,
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

async function row(title: string, sides: readonly [Build, Build]): Promise<void> {
  const works = sides.map((side) => CASES[title]?.(side));
  const rounds: load.Figures[][] = [[], []];
  const each = async (turn: number, ask: (side: Build, work: load.Work, at: number) => Promise<void>) => {
    for (const at of turn % 2 === 0 ? [0, 1] : [1, 0]) {
      const [side, work] = [sides[at], works[at]];
      if (side && work) await ask(side, work, at);
    }
  };
  await each(0, async (side, work) => {
    await side.warmUp(side.service, work, 2);
  });
  for (let turn = 0; turn < Number(BENCH_ROUNDS); turn += 1) {
    await each(turn, async (side, work, at) => {
      rounds[at]?.push(await side.measure(side.service, work, Number(BENCH_SECONDS)));
    });
  }
  const of = (at: number, key: keyof load.Figures) => median(rounds[at]?.map((figures) => figures[key]) ?? []);
  const figures = [of(0, 'perSecond'), of(1, 'perSecond'), of(0, 'cpuMicros'), of(1, 'cpuMicros')];
  const p50 = [of(0, 'p50Ms'), of(1, 'p50Ms')].map((ms) => ms.toFixed(1)).join(', ');
  process.stdout.write(`| ${[title, ...figures.map((figure) => figure.toFixed(0)), p50].join(' | ')} |\n`);
}

if (BENCH_BEFORE === undefined) throw new Error('BENCH_BEFORE names no folder with another build.');
const after = process.cwd();
const before = await buildIn(resolve(BENCH_BEFORE), DATABASE_URL && `${DATABASE_URL}_before`);
const sides = [before, await buildIn(after, DATABASE_URL)] as const;
sides[1].pinClient();
process.stdout.write(
  '| request | before, req/s | after, req/s | before, µs CPU | after, µs CPU | p50 ms |\n|---|---|---|---|---|---|\n',
);
for (const title of Object.keys(CASES)) if (title.includes(BENCH_ONLY)) await row(title, sides);
for (const { root, remove, service, people, removeOthers, seeded } of sides) {
  await remove(service, people);
  await service.stop();
  process.chdir(root);
  await removeOthers(seeded);
}
