import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialectFor } from '../src/database/dialect-for.js';
import { migrate } from '../src/database/schema/migrate.js';
import { Writer } from '../src/database/statements/writer.js';
import { pinClient, ServiceProcess } from './support/service.js';

/** Published records. Their contents are left out: the sitemap never reads them. */
const RECORDS = Number(process.env.BENCH_POSTS ?? 1_000_000);

interface Download {
  readonly firstByteMs: number;
  readonly wholeMs: number;
  readonly text: string;
}

async function seed(file: string): Promise<void> {
  const writer = await Writer.open(dialectFor({ kind: 'sqlite', file }));
  await migrate(writer);
  await writer.source.query(
    `INSERT INTO records (type_id, locale, slug, title, title_key, status, version, created_by, updated_by,
       created_at, updated_at, published_at, trashed_at)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     SELECT t.id, 'en', 'a-slug-as-long-as-most-of-them-are-' || i, 'Title', 'title', 'published', 1, 1, 1,
            1700000000000 + i, 1700000000000 + i, 1700000000000 + i, 0
       FROM n JOIN content_types t ON t.name = 'post'`,
    [RECORDS],
  );
  await writer.source.query('ANALYZE');
  await writer.onApplicationShutdown();
}

async function download(url: string): Promise<Download> {
  const started = performance.now();
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}.`);
  let firstByteMs = 0;
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    if (text === '') firstByteMs = performance.now() - started;
    text += decoder.decode(chunk, { stream: true });
  }
  return { firstByteMs, wholeMs: performance.now() - started, text };
}

const row = (name: string, { firstByteMs, wholeMs }: Omit<Download, 'text'>): string =>
  `| ${name} | ${firstByteMs.toFixed(0)} ms | ${wholeMs.toFixed(0)} ms |\n`;

const countUrls = (text: string): number => text.split('<url>').length - 1;

/** All parts one after the other. Returns what it took, how many addresses they had, and the most memory on the way. */
async function walk(
  service: ServiceProcess,
  paths: readonly string[],
): Promise<Download & { urls: number; peakMiB: number }> {
  const started = performance.now();
  let [firstByteMs, urls, peakMiB] = [0, 0, 0];
  for (const path of paths) {
    const part = await download(service.url + path);
    firstByteMs = Math.max(firstByteMs, part.firstByteMs);
    urls += countUrls(part.text);
    peakMiB = Math.max(peakMiB, service.residentMiB());
  }
  return { firstByteMs, wholeMs: performance.now() - started, text: '', urls, peakMiB };
}

async function measure(service: ServiceProcess): Promise<void> {
  const before = service.residentMiB();
  const index = await download(`${service.url}/sitemap.xml`);
  const paths = [...index.text.matchAll(/<loc>[^<]*(\/sitemap-\d+\.xml)<\/loc>/g)].map(([, path = '']) => path);
  const [first = ''] = paths;
  const part = await download(service.url + first);
  const all = await walk(service, paths);
  if (all.urls !== RECORDS) throw new Error(`The parts have ${all.urls} addresses.`);
  process.stdout.write(
    `${new Date().toISOString()} Node ${process.version}, SQLite, ${RECORDS} published records, ${paths.length} parts\n\n` +
      '| | first byte | whole |\n|---|---|---|\n' +
      row('`/sitemap.xml`, never asked for before', index) +
      row('a part', part) +
      row('all parts (slowest first byte)', all) +
      `\nResident memory: ${before.toFixed(0)} MiB before, at most ${all.peakMiB.toFixed(0)} MiB while all parts are read.\n`,
  );
}

pinClient();
const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), 'bench-sitemap-'));
process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});
const file = join(folder, 'cms.sqlite');
await seed(file);
const service = await ServiceProcess.start('src/main.js', [], { DATABASE_URL: `sqlite:${file}`, DATA_DIR: folder });
await measure(service);
await service.stop();
