import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { list, readById } from './support/cases.js';
import { median } from './support/compare.js';
import { ask, measure } from './support/load.js';
import { DATABASE_URL, SECONDS } from './support/options.js';
import { seededPosts, type Posts } from './support/posts.js';
import { pinClient, ServiceProcess } from './support/service.js';

const STARTS = 7;
const IDLE_MS = 5_000;
const BLOCK_BYTES = 512;

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
}

interface Start {
  /** From the start of the process. */
  readonly answerMs: number;
  readonly recordMs: number;
  /** Time of the start on a core that does nothing else. */
  readonly cpuMs: number;
}

async function start(posts: Posts): Promise<Start & { service: ServiceProcess }> {
  const started = performance.now();
  const service = await ServiceProcess.start('src/main.js');
  const { next, check } = readById(posts);
  await ask(service, next(), check);
  const recordMs = performance.now() - started;
  return { service, answerMs: service.startMs, recordMs, cpuMs: service.cpuSeconds() * 1000 };
}

/** Bytes on disk of what `npm ci --omit=dev` installs, by the lock file. */
function productionBytes(): number {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .reduce((sum, [path]) => sum + bytesIn(path), 0);
}

/** Without the packages inside of a package, which stand in the lock file by themselves. */
function bytesIn(folder: string): number {
  // An optional package for another system is not there.
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? bytesIn(path) : lstatSync(path).blocks * BLOCK_BYTES;
    })
    .reduce((sum, size) => sum + size, 0);
}

const mib = (bytes: number): string => (bytes / 1_048_576).toFixed(0);

pinClient();
const posts = await seededPosts();
const starts: Start[] = [];
for (let i = 0; i < STARTS; i += 1) {
  const { service, ...times } = await start(posts);
  starts.push(times);
  await service.stop();
}
const { service } = await start(posts);
await sleep(IDLE_MS);
const idle = service.residentMiB();
await measure(service, readById(posts), SECONDS);
await measure(service, list({ per_page: 15 }), SECONDS);
await measure(service, list({ per_page: 100 }), SECONDS);
const busy = service.residentMiB();
await service.stop();

const size = productionBytes();
process.stdout.write(`${new Date().toISOString()} Node ${process.version}, ${DATABASE_URL.replace(/\/\/.*@/, '//')}
start to first answer   ${median(starts.map(({ answerMs }) => answerMs)).toFixed(0)} ms, slowest of ${STARTS}: ${Math.max(...starts.map(({ answerMs }) => answerMs)).toFixed(0)} ms
start to first record   ${median(starts.map(({ recordMs }) => recordMs)).toFixed(0)} ms
CPU until then          ${median(starts.map(({ cpuMs }) => cpuMs)).toFixed(0)} ms
resident memory idle    ${idle.toFixed(0)} MiB
resident memory loaded  ${busy.toFixed(0)} MiB
production packages     ${mib(size)} MiB (${(size / 1e6).toFixed(0)} MB)
`);
