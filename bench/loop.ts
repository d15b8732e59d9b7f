import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './support/compare.js';
import { makeContent } from './support/loop-content.js';
import type { LoopCase } from './support/loop-case.js';
import { loopCases } from './support/loop-cases.js';
import { DATA_DIR, DATABASE_URL, ONLY, POSTS, ROUNDS } from './support/options.js';
import { createDatabase } from './support/posts.js';
import { slowestHealth } from './support/raw.js';
import { command, LOOP_WATCH, pinClient, ServiceProcess } from './support/service.js';

/** No request holds the loop longer, milliseconds; without a credential none longer than the second. */
const LIMIT_MS = 50;
const OPEN_LIMIT_MS = 20;
const QUIET_MS = 50;
const HEADING = `
| request | status | held ms: median | longest | with waiting for the core | request ms | slowest /health/live | limit |
|---|---|---|---|---|---|---|---|
`;

const url = DATABASE_URL.startsWith('sqlite:') ? `sqlite:${DATA_DIR}/loop-${POSTS}.sqlite` : `${DATABASE_URL}_loop`;

/** What was seen in the runs of one case, milliseconds. */
interface Seen {
  readonly held: number;
  readonly wall: number;
  readonly time: number;
  readonly health: number;
  readonly status: string;
}

async function runOnce(service: ServiceProcess, one: LoopCase, turn: number): Promise<Seen> {
  await one.prepare?.(turn);
  await sleep(QUIET_MS);
  await service.longestHold();
  const started = performance.now();
  const run = one.run(turn);
  const health = await slowestHealth(service, run);
  const answer = await run;
  const time = answer?.ms ?? performance.now() - started;
  const { wallMs: wall, heldMs: held } = await service.longestHold();
  return { held, wall, time, health, status: String(answer?.status ?? '') };
}

/** @returns whether the loop was held for too long */
async function measureCase(service: ServiceProcess, one: LoopCase): Promise<boolean> {
  const seen: Seen[] = [];
  for (let turn = 0; turn < (one.runs ?? ROUNDS); turn += 1) seen.push(await runOnce(service, one, turn));
  const held = median(seen.map((run) => run.held));
  const limit = one.isOpen ? OPEN_LIMIT_MS : LIMIT_MS;
  const most = (key: 'held' | 'wall' | 'health'): string => ms(Math.max(...seen.map((run) => run[key])));
  const cells = [
    held > limit ? `**${one.title}**` : one.title,
    [...new Set(seen.map(({ status }) => status))].join(', '),
    ms(held),
    most('held'),
    most('wall'),
    ms(median(seen.map(({ time }) => time))),
    most('health'),
    String(limit),
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
  return held > limit;
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

await createDatabase({ url });
await command(url, ['migrate']);
pinClient();
const extra = { DATABASE_URL: url, SITE_URL: 'https://example.com' };
const service = await ServiceProcess.start('src/main.js', LOOP_WATCH, extra);
await makeContent(service, url);
process.stdout.write(`${new Date().toISOString()} Node ${process.version}, ${url.replace(/\/\/.*@/, '//')}, `);
process.stdout.write(`${POSTS} records, ${ROUNDS} runs of each\n${HEADING}`);
const cases = (await loopCases({ service, databaseUrl: url })).filter(({ title }) => title.includes(ONLY));
let over = 0;
for (const one of cases) if (await measureCase(service, one)) over += 1;
process.stdout.write(`\n${over} of ${cases.length} hold the loop longer than they may. `);
process.stdout.write(`Resident ${service.residentMiB().toFixed(0)} MiB.\n`);
await service.stop();
