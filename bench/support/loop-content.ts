import { once } from 'node:events';
import { createWriteStream, rmSync, writeFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { DATA_DIR, POSTS } from './options.js';
import { send, sendJson } from './raw.js';
import { command, type ServiceProcess } from './service.js';
import { Prose } from './text.js';

/** The content that the worst requests are about. */
export const ITEM = 'item';
export const LONG = 'long';
export const BUNDLE = 'bundle';
export const LONG_RECORDS = 100;
const LONG_CHARACTERS = 1_000_000;
/** Each is on a hundredth of the items. */
const TAGS = 100;
const TERMS = 10_000;
const TYPES = 200;
const FIELDS_PER_TYPE = 20;
const BUNDLES = 100;
const PER_BUNDLE = 100;
const TRASHED = 30;
const BODY_CHARACTERS = 1_000;
const MINUTE_MS = 60_000;
const CLIENTS = 8;
const READY = 'ready';

const ITEM_FIELDS = [
  { name: 'code', type: 'string', indexed: true },
  { name: 'price', type: 'number', indexed: true },
  { name: 'rank', type: 'integer' },
  { name: 'flag', type: 'boolean', indexed: true },
  { name: 'day', type: 'datetime', indexed: true },
  { name: 'labels', type: 'list', of: 'string', indexed: true },
  { name: 'note', type: 'string' },
];

interface Listed {
  readonly data: readonly { readonly id: number }[];
}

/** Makes what is not there yet: minutes for the first run on a database, nothing for the next ones. */
export async function makeContent(service: ServiceProcess, databaseUrl: string): Promise<void> {
  const isReady = (await send(service, { path: `/api/cms/types/${READY}` })).status === 200;
  if (isReady) return;
  const started = Date.now();
  await type(service, ITEM, ITEM_FIELDS, ['category', 'tag']);
  await type(service, LONG, [{ name: 'rank', type: 'integer', indexed: true }]);
  await type(service, BUNDLE, [{ name: 'items', type: 'relation', to: [ITEM], many: true }]);
  await importItems(databaseUrl, { name: 'items', first: 1, last: POSTS, prefix: 'Item' });
  await sendJson(service, { method: 'POST', path: '/api/admin/taxonomies', body: { name: 'topic' } });
  await inParallel(TERMS, (n) =>
    sendJson(service, { method: 'POST', path: '/api/cms/taxonomy', body: { type: 'topic', name: `Topic ${n}` } }),
  );
  await inParallel(TYPES, (n) => type(service, `kind_${n}`, fieldsOf(n)));
  await longRecords(service);
  await bundles(service);
  await type(service, READY, []);
  process.stderr.write(`made the content in ${((Date.now() - started) / 1000).toFixed(0)} s\n`);
}

/** A table of items, taken over by the command line. Of the same name again: changes them. */
export async function importItems(
  databaseUrl: string,
  { name, first, last, prefix }: { name: string; first: number; last: number; prefix: string },
): Promise<void> {
  const file = `${DATA_DIR}/${name}.csv`;
  const prose = new Prose(first);
  const out = createWriteStream(file);
  out.write('key,title,status,published_at,code,price,rank,flag,day,labels,note,tag,body\n');
  for (let n = first; n <= last; n += 1) {
    const at = new Date(Date.UTC(2024, 0, 1) + n * MINUTE_MS).toISOString();
    const status = n % 10 < 8 ? 'published' : 'draft';
    const own = [`code-${n % 50_000}`, n % 1_000, n, n % 2 === 0, at, `label ${n % 500}|label ${n % 7}`, `note ${n}`];
    const row = [n, `${prefix} ${n} ${prose.title()}`, status, status === 'draft' ? '' : at, ...own];
    const cells = [...row, `tag ${n % TAGS}`, prose.body(BODY_CHARACTERS)].map(String);
    if (!out.write(`${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`)) await once(out, 'drain');
  }
  out.end();
  await finished(out);
  await command(databaseUrl, ['import', file, '--type', ITEM, '--source', name]);
  rmSync(file);
}

/** Records of a megabyte, taken over by the command line. Again: gives them other texts. */
export async function importLong(databaseUrl: string, count: number): Promise<void> {
  const file = `${DATA_DIR}/long.csv`;
  const seed = Date.now();
  const rows = Array.from({ length: count }, (_, n) => `${n},Imported ${n},"${longText(seed + n)}"\n`);
  writeFileSync(file, `key,title,body\n${rows.join('')}`);
  await command(databaseUrl, ['import', file, '--type', LONG, '--source', 'long']);
  rmSync(file);
}

/** A text of a million characters: words, so that search and history have their work with it. */
export function longText(seed: number): string {
  return new Prose(seed).body(LONG_CHARACTERS);
}

/** Ids of records of a type, the newest first. */
export async function idsOf(service: ServiceProcess, name: string, count: number): Promise<number[]> {
  const path = `/api/cms/${name}?fields=id&per_page=${count}&count=none`;
  return (await sendJson<Listed>(service, { path })).data.map(({ id }) => id);
}

async function type(
  service: ServiceProcess,
  name: string,
  fields: readonly object[],
  taxonomies: readonly string[] = [],
): Promise<void> {
  await sendJson(service, { method: 'POST', path: '/api/admin/types', body: { name, fields, taxonomies } });
}

function fieldsOf(n: number): object[] {
  return Array.from({ length: FIELDS_PER_TYPE }, (_, field) => ({
    name: `field_${field}`,
    type: field % 2 === 0 ? 'string' : 'integer',
    description: `The field ${field} of the type ${n}.`,
  }));
}

async function longRecords(service: ServiceProcess): Promise<void> {
  for (let n = 0; n < LONG_RECORDS + TRASHED; n += 1) {
    const body = { title: `Long ${n}`, body: longText(n), rank: n, status: 'published' };
    const { data } = await sendJson<{ data: { id: number } }>(service, {
      method: 'POST',
      path: `/api/cms/${LONG}`,
      body,
    });
    if (n >= LONG_RECORDS) await sendJson(service, { method: 'DELETE', path: `/api/cms/${LONG}/${data.id}` });
  }
}

async function bundles(service: ServiceProcess): Promise<void> {
  const ids = await idsOf(service, ITEM, 100);
  await inParallel(BUNDLES, (n) => {
    const items = Array.from({ length: PER_BUNDLE }, (_, place) => ids[(n + place) % ids.length] ?? 0);
    const body = { title: `Bundle ${n}`, status: 'published', items };
    return sendJson(service, { method: 'POST', path: `/api/cms/${BUNDLE}`, body });
  });
}

async function inParallel(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}
