import { EventEmitter, once } from 'node:events';
import { openDataSource } from '../../src/database/dialect/data-source.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { call, Child, production } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import type { TestDatabase } from '../support/test-database.js';

const ROUNDS = 2;
const WRITERS = 6;
/** Writes of a round that are answered before the service is killed, at least and at most. */
const WRITES = [10, 40] as const;

interface Known {
  readonly id: number;
  title: string;
  version: number;
}

async function recordOf(answer: Response): Promise<Known> {
  return ((await answer.json()) as { data: Known }).data;
}

describe('A service that is killed while it writes', () => {
  let database: TestDatabase;
  const acknowledged = new Map<number, Known>();
  const answers = new EventEmitter();

  beforeAll(async () => {
    database = await createMigratedDatabase();
  });

  afterAll(() => database.drop());

  /** Creates and changes records until the service is gone, and remembers what was answered as done. */
  async function write(address: string, writer: string): Promise<void> {
    for (let n = 0; ; n += 1) {
      try {
        const created = await call(address, 'POST', '/api/cms/post', { title: `${writer}-${n}`, status: 'published' });
        if (created.status !== 201) throw new Error(`create: ${created.status}`);
        remember(await recordOf(created));
        const known = [...acknowledged.values()].at(-1);
        if (!known) continue;
        const changed = await call(address, 'PUT', `/api/cms/post/${known.id}`, { title: `${known.title}+` });
        if (changed.status !== 200) throw new Error(`update: ${changed.status}`);
        remember(await recordOf(changed));
      } catch (error) {
        if ((error as Error).name === 'TypeError') return; // fetch: the connection broke
        throw error;
      }
    }
  }

  function remember({ id, title, version }: Known): void {
    const known = acknowledged.get(id);
    if (!known || known.version < version) acknowledged.set(id, { id, title, version });
    answers.emit('answer');
  }

  /** Ends in the middle of a round, however slow the machine is. */
  async function manyAnswers(): Promise<void> {
    const [least, most] = WRITES;
    const wanted = least + Math.floor(Math.random() * (most - least));
    for (let n = 0; n < wanted; n += 1) await once(answers, 'answer');
  }

  async function requireSound(): Promise<void> {
    const isFile = database.address.kind === 'sqlite';
    const source = await openDataSource(dialectFor(database.address).readerOptions());
    const check = isFile ? 'PRAGMA integrity_check' : 'CHECK TABLE records, record_contents, record_fields';
    const rows = await source.query<Record<string, string>[]>(check);
    expect(rows.map((row) => Object.values(row).at(-1)?.toLowerCase())).toEqual(rows.map(() => 'ok'));
    if (isFile) expect(await source.query('PRAGMA foreign_key_check')).toEqual([]);
    await source.destroy();
  }

  async function everything(address: string): Promise<{ records: Known[]; total: number }> {
    const records: Known[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await call(
        address,
        'GET',
        `/api/cms/post?per_page=100&page=${page}&fields=id,title,version&sort=id`,
      );
      const { data, meta } = (await answer.json()) as { data: Known[]; meta: { total: number; last_page: number } };
      records.push(...data);
      if (page >= meta.last_page) return { records, total: meta.total };
    }
  }

  /** Every version has its revision, and the newest one is what the record is. */
  async function requireHistory(address: string, { id, title, version }: Known): Promise<void> {
    const answer = await call(address, 'GET', `/api/cms/post/${id}/revisions?per_page=100`);
    const { data } = (await answer.json()) as { data: Known[] };
    expect(data.map((one) => one.version)).toEqual(Array.from({ length: version }, (_, n) => version - n));
    expect(data[0]?.title).toBe(title);
  }

  it('has everything that it has acknowledged when it is back, and counts it right', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const child = new Child('main.js', [], production(database));
      const address = await child.address();
      const writers = Array.from({ length: WRITERS }, (_, n) => write(address, `r${round}w${n}`));
      await Promise.race([manyAnswers(), Promise.all(writers)]);

      expect(await child.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
      await Promise.all(writers);
    }
    await requireSound();

    const child = new Child('main.js', [], production(database));
    const address = await child.address();
    const { records, total } = await everything(address);
    const found = new Map(records.map((record) => [record.id, record]));

    // Writers create and change in turns.
    expect(acknowledged.size).toBeGreaterThanOrEqual((ROUNDS * WRITES[0]) / 2);
    for (const { id, title, version } of acknowledged.values()) {
      const record = found.get(id);
      expect(record).toBeDefined();
      // A write whose answer got lost may be there, too; one that was answered must be.
      expect(record?.version).toBeGreaterThanOrEqual(version);
      if (record?.version === version) expect(record.title).toBe(title);
    }
    expect(total).toBe(records.length);
    for (const record of records) await requireHistory(address, record);
    expect(await child.kill('SIGTERM')).toMatchObject({ code: 0 });
  });
});
