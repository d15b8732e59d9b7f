import { NestFactory } from '@nestjs/core';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { AppModule } from '../src/app/app.module.js';
import { OPERATOR } from '../src/cli/operator-events.js';
import { createLogger } from '../src/common/logging/logger.js';
import { readSettings } from '../src/config/settings.js';
import { readCsv } from '../src/transfer/formats/csv/csv.js';
import { Importer } from '../src/transfer/import/importer.js';
import { BODY_BYTES } from './support/posts.js';
import { Prose } from './support/text.js';

const ITEMS = Number(process.env.BENCH_ITEMS ?? 20_000);
const TAGS = 50;
const MINUTE_MS = 60_000;

/** A table of posts with bodies of 2 KB and three tags each. */
async function writeTable(file: string): Promise<void> {
  const prose = new Prose(7);
  const out = createWriteStream(file);
  out.write('title,slug,status,published_at,tag,body\n');
  for (let n = 0; n < ITEMS; n += 1) {
    const at = new Date(Date.UTC(2024, 0, 1) + n * MINUTE_MS).toISOString();
    const tags = [n % TAGS, (n * 7) % TAGS, (n * 13) % TAGS].map((tag) => `tag ${tag}`).join('|');
    const row = [`Item ${n}: ${prose.title()}`, `item-${n}`, 'published', at, tags, prose.body(BODY_BYTES)];
    if (!out.write(`${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`)) {
      await once(out, 'drain');
    }
  }
  out.end();
  await finished(out);
}

const folder = mkdtempSync(join(tmpdir(), 'cms-bench-'));
const table = join(folder, 'posts.csv');
await writeTable(table);
const settings = readSettings('demo', {
  DATABASE_URL: process.env.DATABASE_URL ?? `sqlite:${join(folder, 'cms.sqlite')}`,
  DATA_DIR: folder,
});
const app = await NestFactory.createApplicationContext(
  AppModule.forRoot(settings, createLogger({ level: 'silent', isForPeople: false })),
  { logger: false },
);
try {
  for (const run of ['first run', 'second run']) {
    let peak = 0;
    const started = performance.now();
    const cpu = process.cpuUsage();
    const report = await app.get(Importer).run(readCsv(table), {
      ...{ caller: OPERATOR, source: 'bench', type: 'post', status: null, isDryRun: false },
      onProgress: () => (peak = Math.max(peak, process.memoryUsage().rss)),
    });
    const seconds = (performance.now() - started) / 1000;
    const rate = Math.round(ITEMS / seconds);
    const mb = Math.round(peak / 1024 / 1024);
    const { user, system } = process.cpuUsage(cpu);
    const micros = Math.round((user + system) / ITEMS);
    process.stdout.write(
      `${run}: ${rate} records/s, ${micros} µs of CPU each, ${mb} MB at most, ${JSON.stringify(report.counts)}\n`,
    );
  }
} finally {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
}
