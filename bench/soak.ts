/**
 * A mix of requests at a constant rate for half an hour: no answer may be wrong, and memory and open files may not grow.
 *
 *   SOAK_MINUTES=30 SOAK_RATE=150 npm run bench:soak
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './support/compare.js';
import { indexed } from './support/search-words.js';
import { POSTS } from './support/options.js';
import { removeOthers, seededPosts } from './support/posts.js';
import { pinClient, ServiceProcess } from './support/service.js';
import { SoakMix, type SoakCall } from './support/soak-mix.js';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 30);
/** Requests a second. */
const RATE = Number(process.env.SOAK_RATE ?? 150);
const MOST_AT_ONCE = 200;
const TIMEOUT_MS = 20_000;
const SAMPLE_MS = 5_000;
const SHOWN_WRONG_ANSWERS = 20;
/** The last sixth may have so much more resident memory than the second one; the first one warms up. */
const GROWTH_LIMIT_MIB = 16;

/** A sixth of the run. */
interface Part {
  readonly ms: number[];
  readonly residentMiB: number[];
  readonly files: number[];
}

class Soak {
  readonly wrong: string[] = [];
  /** Requests that were not sent at their time, since too many had no answer yet. */
  late = 0;
  private underWay = 0;

  constructor(
    private readonly service: ServiceProcess,
    private readonly mix: SoakMix,
  ) {}

  async part(ms: number): Promise<Part> {
    const part: Part = { ms: [], residentMiB: [], files: [] };
    const started = performance.now();
    const sampling = setInterval(() => {
      part.residentMiB.push(this.service.residentMiB());
      part.files.push(this.service.openFiles());
    }, SAMPLE_MS);
    for (let sent = 0; performance.now() - started < ms; sent += 1) {
      const wait = started + (sent * 1_000) / RATE - performance.now();
      if (wait > 1) await sleep(wait);
      if (this.underWay >= MOST_AT_ONCE) this.late += 1;
      else void this.send(this.mix.next(), part);
    }
    clearInterval(sampling);
    return part;
  }

  private async send(call: SoakCall, part: Part): Promise<void> {
    this.underWay += 1;
    const started = performance.now();
    try {
      await this.exchange(call);
      part.ms.push(performance.now() - started);
    } catch (error) {
      this.wrong.push(`${call.method} ${call.path}: ${String(error)}`);
    } finally {
      this.underWay -= 1;
    }
  }

  private async exchange(call: SoakCall): Promise<void> {
    const { path, method, headers, body, expected } = call;
    const leaving = new AbortController();
    const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(this.service.url + path, { method, headers, body: body ?? null, signal });
    if (call.isLeft) {
      leaving.abort();
      return;
    }
    const text = await response.text();
    if (!expected.includes(response.status)) throw new Error(`${response.status} ${text.slice(0, 200)}`);
    this.mix.answered(call, response.headers.get('etag'), text);
  }
}

function percentile(values: readonly number[], share: number): string {
  return (values.toSorted((x, y) => x - y)[Math.floor(values.length * share)] ?? NaN).toFixed(1);
}

pinClient();
const posts = await seededPosts();
await removeOthers(posts);
const service = await ServiceProcess.start('src/main.js', [], { METRICS_PORT: '0' });
await indexed(service);
const soak = new Soak(service, new SoakMix(posts));
process.stdout.write(`${new Date().toISOString()} Node ${process.version}, ${POSTS} posts, ${MINUTES} minutes, `);
process.stdout.write(
  `${RATE} requests a second\n\n| minutes | answers | p50 / p99 ms | resident MiB (most) | open files |\n`,
);
process.stdout.write('|---|---|---|---|---|\n');
const parts: Part[] = [];
for (let n = 1; n <= 6; n += 1) {
  const part = await soak.part((MINUTES / 6) * 60_000);
  parts.push(part);
  const { ms, residentMiB, files } = part;
  const memory = `${median(residentMiB).toFixed(0)} (${Math.max(...residentMiB).toFixed(0)})`;
  const times = `${percentile(ms, 0.5)} / ${percentile(ms, 0.99)}`;
  process.stdout.write(
    `| ${((n * MINUTES) / 6).toFixed(0)} | ${ms.length} | ${times} | ${memory} | ${median(files)} |\n`,
  );
}
await service.stop();
const growth = median(parts[5]?.residentMiB ?? []) - median(parts[1]?.residentMiB ?? []);
process.stdout.write(
  `\n${soak.wrong.length} wrong answers, ${soak.late} requests late, memory ${growth.toFixed(1)} MiB\n`,
);
process.stdout.write(soak.wrong.slice(0, SHOWN_WRONG_ANSWERS).join('\n'));
process.exitCode = soak.wrong.length === 0 && growth <= GROWTH_LIMIT_MIB ? 0 : 1;
