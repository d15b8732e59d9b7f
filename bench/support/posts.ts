import { mkdirSync } from 'node:fs';
import mysql from 'mysql2/promise';
import { fold, head } from '../../src/common/text/fold.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { migrate } from '../../src/database/schema/migrate.js';
import type { SqlValue } from '../../src/database/statements/statement.js';
import { Writer } from '../../src/database/statements/writer.js';
import { ID_MASK } from '../../src/search/fts5/row-ids.js';
import { DATA_DIR, databaseAddress, DEFAULT_SEED, type Seed } from './options.js';
import { Prose } from './text.js';

/** Posts with ids from `first` to `last`, as they were seeded. */
export interface Posts {
  readonly first: number;
  readonly last: number;
}

export const BODY_BYTES = 2_048;
const BATCH = 500;
const FIRST_CREATED_AT = Date.UTC(2024, 0, 1);
const MINUTE_MS = 60_000;
const COUNTED_AT_ONCE = 50_000;
const COUNT_TABLES = ['record_deltas', 'record_counts'];
/** Tables that have rows of single records. */
const RECORD_TABLES = ['record_contents', 'record_fields', 'revisions', 'records'];
/** 80 % published, 15 % draft, 5 % archived, evenly mixed. */
const STATUSES = Array.from({ length: 20 }, (_, i) => {
  const turn = (i * 7) % 20;
  return turn < 16 ? 'published' : turn < 19 ? 'draft' : 'archived';
});

/** The posts to measure with: those of the last run, or new ones. */
export async function seededPosts(seed = DEFAULT_SEED): Promise<Posts> {
  await createDatabase(seed);
  return withWriter(seed, async (writer) => {
    await migrate(writer);
    const type = await postType(writer);
    return (await seededBefore(writer, seed)) ?? fill(writer, type, seed);
  });
}

/** Takes away what a measurement has created, so that the next one starts from the same. */
export async function removeOthers({ last }: Posts, seed = DEFAULT_SEED): Promise<void> {
  await withWriter(seed, async (writer) => {
    const type = await postType(writer);
    for (const table of RECORD_TABLES) {
      const key = table === 'records' ? 'id' : 'record_id';
      await writer.source.query(`DELETE FROM ${table} WHERE ${key} > ?`, [last]);
    }
    await removeDocuments(writer, last);
    await countAnew(writer, type);
  });
}

/** A document without a record would take the place of a hit on a page. */
async function removeDocuments({ source, dialect }: Writer, last: number): Promise<void> {
  if (dialect.hasOneWriter) await source.query('DELETE FROM search_index WHERE (rowid & ?) > ?', [ID_MASK, last]);
  else await source.query('DELETE FROM search_documents WHERE record_id > ?', [last]);
}

async function withWriter<Result>({ url }: Seed, work: (writer: Writer) => Promise<Result>): Promise<Result> {
  const writer = await Writer.open(dialectFor(databaseAddress(url)));
  try {
    return await work(writer);
  } finally {
    await writer.onApplicationShutdown();
  }
}

/** Creates the database; for SQLite, the folder for its file. */
export async function createDatabase(seed: Pick<Seed, 'url'>): Promise<void> {
  const address = databaseAddress(seed.url);
  if (address.kind === 'sqlite') {
    mkdirSync(DATA_DIR, { recursive: true });
    return;
  }
  const url = new URL(seed.url);
  const name = url.pathname.slice(1);
  url.pathname = '';
  const connection = await mysql.createConnection(url.href.replace(/^mariadb:/, 'mysql:'));
  await connection.query(`CREATE DATABASE IF NOT EXISTS \`${name}\``);
  await connection.end();
}

/** A mark of its own says that seeding went to its end, and with how many posts. */
async function seededBefore({ source }: Writer, { size }: Seed): Promise<Posts | null> {
  const marks = await source.query<{ name: string }[]>("SELECT name FROM actors WHERE kind = 'seed' AND ref = ?", [
    String(size),
  ]);
  const [first, last] = (marks[0]?.name ?? '').split('-').map(Number);
  return first !== undefined && last !== undefined ? { first, last } : null;
}

async function postType({ source }: Writer): Promise<number> {
  const [row] = await source.query<{ id: number | string }[]>("SELECT id FROM content_types WHERE name = 'post'");
  if (!row) throw new Error('The database has no type "post".');
  return Number(row.id);
}

async function fill(writer: Writer, type: number, { size }: Seed): Promise<Posts> {
  const started = Date.now();
  const [{ n } = { n: 0 }] = await writer.source.query<{ n: number | string }[]>('SELECT COUNT(*) AS n FROM records');
  if (Number(n) > 0) throw new Error('The database holds other records. Measure on one of its own: …/cms_bench.');
  const prose = new Prose(1);
  for (let start = 1; start <= size; start += BATCH) {
    await insert(writer, type, prose, { first: start, last: Math.min(size, start + BATCH - 1) });
  }
  await countAnew(writer, type);
  await writer.source.query('INSERT INTO actors (kind, ref, name) VALUES (?, ?, ?)', [
    'seed',
    String(size),
    `1-${size}`,
  ]);
  if (writer.dialect.hasOneWriter) await writer.dialect.refreshStatistics(writer.source.createQueryRunner());
  else await writer.source.query('ANALYZE TABLE records, record_contents');
  process.stderr.write(`seeded ${size} posts in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
  return { first: 1, last: size };
}

async function insert({ source }: Writer, type: number, prose: Prose, { first, last }: Posts): Promise<void> {
  const records: SqlValue[][] = [];
  const contents: SqlValue[][] = [];
  for (let id = first; id <= last; id += 1) {
    const title = prose.title();
    const status = STATUSES[id % STATUSES.length] ?? '';
    const at = FIRST_CREATED_AT + id * MINUTE_MS;
    records.push([
      id,
      type,
      'en',
      `post-${id}`,
      title,
      head(fold(title), 64),
      status,
      1,
      1,
      1,
      at,
      at,
      status === 'draft' ? null : at,
      0,
    ]);
    contents.push([id, prose.body(BODY_BYTES), '{}']);
  }
  await source.transaction(async (manager) => {
    await manager.query(
      `INSERT INTO records (id, type_id, locale, slug, title, title_key, status, version, created_by, updated_by,
         created_at, updated_at, published_at, trashed_at) VALUES ${rowsOf(records)}`,
      records.flat(),
    );
    await manager.query(
      `INSERT INTO record_contents (record_id, body, data) VALUES ${rowsOf(contents)}`,
      contents.flat(),
    );
  });
}

function rowsOf(rows: readonly SqlValue[][]): string {
  return rows.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ');
}

/** As the service would have counted them. Some records at a time, since servers end what takes longer than ten seconds. */
async function countAnew({ source, dialect }: Writer, type: number): Promise<void> {
  for (const table of COUNT_TABLES) await source.query(`DELETE FROM ${table} WHERE type_id = ?`, [type]);
  const [{ last } = { last: 0 }] = await source.query<{ last: number | string | null }[]>(
    'SELECT MAX(id) AS last FROM records WHERE type_id = ?',
    [type],
  );
  for (let after = 0; after < Number(last); after += COUNTED_AT_ONCE) {
    const some = 'type_id = ? AND trashed_at = 0 AND id > ? AND id <= ?';
    const values = [type, after, after + COUNTED_AT_ONCE];
    await source.query(
      `INSERT INTO record_counts (type_id, status, n)
         SELECT type_id, status, COUNT(*) FROM records WHERE ${some} GROUP BY type_id, status
         ${dialect.addingTo('n', ['type_id', 'status'])}`,
      values,
    );
  }
}
