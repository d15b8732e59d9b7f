/**
 * Counts what one warm request runs through: files of the service and functions in them, by V8's precise coverage of the built demo.
 * Jobs in the background are left out. Of a write it counts, too, the own functions that wait between its route and the driver
 * while its row in `records` is written. Fails if a figure is above its budget, which only goes down.
 *
 *   npm run weight              the table
 *   npm run weight -- create    the table, and what a create runs through, file by file
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** On a busy machine requests meet each other: a few functions more run each time, and a file that they stand in. */
const BUSY = { files: 1, functions: 10 };

/** Most files and functions of each request on a quiet machine. */
const BUDGETS = {
  create: [79, 271],
  update: [77, 288],
  list: [46, 187],
  read: [42, 127],
  search: [39, 140],
  login: [52, 210],
  users: [27, 84],
};

/**
 * Own functions that wait between the route of a write and the driver for the row of a record to be written. An update waits for
 * earlier writes of its record first, and is seen from there on.
 */
const WAITING = { create: 7, update: 7 };

/** A route is its controller and what runs that. */
const OF_ROUTE = /\.controller\.js|commit-mark\.js/;

const dist = fileURLToPath(new URL('../dist/src/', import.meta.url));
const shown = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'weight-'));
Object.assign(process.env, { NODE_ENV: 'demo', PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, LOG_LEVEL: 'silent' });
Object.assign(process.env, { DATABASE_URL: `sqlite:${join(folder, 'cms.sqlite')}`, RATE_LIMITS: 'off' });

/** Starts the demo in this process. @returns what it prints */
async function startDemo() {
  const { JobQueue } = await import(`${dist}common/jobs/job-queue.js`);
  JobQueue.prototype.every = () => undefined;
  // A busy machine holds up the event loop here as well.
  const { LoopDelay } = await import(`${dist}common/http/arriving/load-limit.js`);
  LoopDelay.prototype.step = () => undefined;
  const write = process.stdout.write.bind(process.stdout);
  let banner = '';
  process.stdout.write = (text) => ((banner += text), true);
  await import(`${dist}demo.js`);
  process.stdout.write = write;
  return banner;
}

const banner = await startDemo();
const origin = /API +(http:\/\/\S+?)\/api\/cms/.exec(banner)[1];
const token = /Token +(\S+)/.exec(banner)[1];
const [, email, password] = /Sign in +(\S+) +(\S+)/.exec(banner);

async function send(method, path, body) {
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

let made = 0;
const text = () => ({
  title: `Weight ${(made += 1)}`,
  body: 'A text of some *words* about weight.',
  status: 'published',
});
const { data: record } = await send('POST', '/api/cms/post', text());

const REQUESTS = {
  create: () => send('POST', '/api/cms/post', text()),
  update: () => send('PUT', `/api/cms/post/${record.id}`, text()),
  list: () => send('GET', '/api/cms/post?per_page=15&status=published'),
  read: () => send('GET', `/api/cms/post/${record.id}`),
  search: () => send('GET', `/api/cms/search?q=words%20${(made += 1)}`),
  login: () => send('POST', '/api/auth/login', { email, password }),
  users: () => send('GET', '/api/users'),
};

/** Has each write of a row in `records` note the own functions that wait for it. @returns what holds them */
async function noteWaiting() {
  const { default: Database } = await import('better-sqlite3');
  const noted = { lines: [] };
  const statements = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1'));
  const { run } = statements;
  statements.run = function (...values) {
    if (/^(?:INSERT INTO|UPDATE) records\b/.test(this.source)) {
      Error.stackTraceLimit = Infinity;
      noted.lines = new Error().stack.split('\n').filter((line) => line.includes(dist) && !OF_ROUTE.test(line));
      Error.stackTraceLimit = 10;
    }
    return run.apply(this, values);
  };
  return noted;
}

const noted = await noteWaiting();
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const idle = () => new Promise((resolve) => setTimeout(resolve, 700));

/** @returns names of the functions that a request calls each time, by file: what a timer adds it does not add seven times */
async function functionsOf(request) {
  for (let times = 0; times < 3; times += 1) await request();
  await idle();
  let always = await calledBy(request);
  for (let times = 0; times < 6; times += 1) {
    // What a write leaves to a timer, such as a checkpoint, must not meet the next one, which a password makes long.
    if (request === REQUESTS.login) await idle();
    const again = await calledBy(request);
    always = new Map([...always].filter(([place]) => again.has(place)));
  }
  const files = new Map();
  for (const { file, name } of always.values()) files.set(file, [...(files.get(file) ?? []), name]);
  return files;
}

/** @returns the functions of the service that one request calls, by their places in its files */
async function calledBy(request) {
  await session.post('Profiler.takePreciseCoverage');
  await request();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const own = result.filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(dist));
  const called = own.flatMap(({ url, functions }) =>
    functions
      .filter(({ ranges: [{ count }] }) => count > 0)
      .map(({ functionName, ranges: [{ startOffset }] }) => [
        `${url}:${startOffset}`,
        { file: relative(dist, fileURLToPath(url)), name: functionName || '(anonymous)' },
      ]),
  );
  return new Map(called);
}

let isOver = false;
console.log('request   files (at most)   functions (at most)');
for (const [name, request] of Object.entries(REQUESTS)) {
  const files = await functionsOf(request);
  const counts = [files.size, [...files.values()].flat().length];
  const [mostFiles, mostFunctions] = BUDGETS[name];
  isOver ||= counts[0] > mostFiles + BUSY.files || counts[1] > mostFunctions + BUSY.functions;
  const columns = counts.map((count, at) => `${String(count).padStart(5)} (${BUDGETS[name][at]})`.padEnd(18));
  console.log(`${name.padEnd(8)}  ${columns.join('')}`);
  if (shown === name) for (const [file, names] of files) console.log(`  ${file}: ${names.join(', ')}`);
}
for (const [name, most] of Object.entries(WAITING)) {
  await REQUESTS[name]();
  const { lines } = noted;
  isOver ||= lines.length > most;
  console.log(`${name}: ${lines.length} (${most}) own functions wait for the row of the record`);
  if (shown === name) console.log(lines.toReversed().join('\n'));
}
rmSync(folder, { recursive: true, force: true });
if (isOver) console.error('A request runs through more than its budget in scripts/weight.mjs.');
process.exit(isOver ? 1 : 0);
