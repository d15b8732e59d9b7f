import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { list, readById, update } from './support/cases.js';
import { measure, warmUp, type Work } from './support/load.js';
import { DATA_DIR, DATABASE_URL, ONLY, SECONDS } from './support/options.js';
import { removeOthers, seededPosts } from './support/posts.js';
import { pinClient, ServiceProcess } from './support/service.js';

const FOLDER = `${DATA_DIR}/profiles`;
const TOP = 25;

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
}

/** Share of the busy time that each function spends itself, greatest first. */
function selfTimes({ nodes, samples }: Profile): [name: string, share: number][] {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const file = url.startsWith('file:') ? relative(process.cwd(), new URL(url).pathname) : url;
      return [id, `${functionName || '(anonymous)'} ${file.replace(/^.*node_modules\//, '')}:${lineNumber + 1}`];
    }),
  );
  const counts = new Map<string, number>();
  for (const id of samples) {
    const name = names.get(id) ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const name of counts.keys()) if (/^\((?:idle|program|root)\) /.test(name)) counts.delete(name);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts].map(([name, count]): [string, number] => [name, count / total]).sort((a, b) => b[1] - a[1]);
}

async function profile(title: string, work: Work): Promise<void> {
  if (!title.includes(ONLY)) return;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const service = await ServiceProcess.start('src/main.js', ['--cpu-prof', `--cpu-prof-dir=${FOLDER}`]);
  await warmUp(service, work, 1);
  // Long enough for starting and warming up to drown.
  const { perSecond, cpuMicros } = await measure(service, work, SECONDS * 4);
  await service.stop();
  const [file = ''] = readdirSync(FOLDER);
  const top = selfTimes(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Profile).slice(0, TOP);
  process.stdout.write(`\n${title}: ${perSecond.toFixed(0)}/s, ${cpuMicros.toFixed(0)} µs CPU, profiled\n`);
  for (const [name, share] of top) process.stdout.write(`${(share * 100).toFixed(1).padStart(5)} %  ${name}\n`);
}

pinClient();
const posts = await seededPosts();
process.stdout.write(`${new Date().toISOString()} Node ${process.version}, ${DATABASE_URL.replace(/\/\/.*@/, '//')}\n`);
await profile('read by id', readById(posts));
await profile('list 15 + total', list({ per_page: 15 }));
await profile('update', update(posts));
await removeOthers(posts);
