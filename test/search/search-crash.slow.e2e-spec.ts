import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, Child, production } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import type { TestDatabase } from '../support/test-database.js';

const ROUNDS = 6;
const WRITERS = 6;

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((end) => (resolve = end));
  return { promise, resolve };
}

interface Found {
  readonly data: readonly { readonly id: number; readonly title: string }[];
  readonly meta: { readonly total: number; readonly last_page: number };
}

describe('The search of a service that is killed while it writes', () => {
  let database: TestDatabase;
  const folder = mkdtempSync(join(tmpdir(), 'cms-data-'));

  beforeAll(async () => {
    database = await createMigratedDatabase();
  });

  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  /** All of them keep beside the database what the last one has left there. */
  const start = (): Child => new Child('main.js', [], { ...production(database), DATA_DIR: folder });

  const random = (): string => Math.random().toString(36).slice(2, 10);

  /** Creates, changes and deletes records, each with a word of its own, until the service is gone. */
  async function write(address: string, created: () => void): Promise<void> {
    for (let n = 0; ; n += 1) {
      try {
        const body = { title: `u${random()}`, body: 'ordinary', status: 'published' };
        const { data } = (await (await call(address, 'POST', '/api/cms/post', body)).json()) as {
          data: Found['data'][number];
        };
        created();
        const path = `/api/cms/post/${data.id}`;
        if (n % 3 > 0) await call(address, 'PUT', path, { title: `u${random()}` });
        if (n % 3 > 1) await call(address, 'DELETE', path);
      } catch (error) {
        if (['TypeError', 'SyntaxError'].includes((error as Error).name)) return; // the connection broke
        throw error;
      }
    }
  }

  const found = async (address: string, query: string): Promise<Found> =>
    (await (await call(address, 'GET', query)).json()) as Found;

  async function all(address: string, query: string): Promise<Found['data']> {
    const records: Found['data'][number][] = [];
    for (let page = 1; ; page += 1) {
      const { data, meta } = await found(address, `${query}&per_page=100&page=${page}`);
      records.push(...data);
      if (page >= meta.last_page) return records.sort((a, b) => a.id - b.id);
    }
  }

  it('finds every record by its word, and nothing that is not there', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const child = start();
      const address = await child.address();
      const { promise: enough, resolve } = deferred();
      let left = 3 * WRITERS + Math.floor(Math.random() * 60);
      const created = (): void => {
        left -= 1;
        if (left === 0) resolve();
      };
      const writers = Array.from({ length: WRITERS }, () => write(address, created));
      await Promise.race([enough, Promise.all(writers)]);
      await child.kill('SIGKILL');
      await Promise.all(writers);
    }

    const child = start();
    const address = await child.address();
    const records = await all(address, '/api/cms/post?fields=id,title&sort=id');
    expect(records.length).toBeGreaterThan(ROUNDS * WRITERS);
    for (const { id, title } of records) {
      const { data, meta } = await found(address, `/api/cms/search?q=%22${title}%22`);
      expect([title, meta.total, data[0]?.id]).toEqual([title, 1, id]);
    }
    const ordinary = await all(address, '/api/cms/search?q=%22ordinary%22');
    expect(ordinary.map(({ id }) => id)).toEqual(records.map(({ id }) => id));
    expect(await child.kill('SIGTERM')).toMatchObject({ code: 0 });
  });
});
