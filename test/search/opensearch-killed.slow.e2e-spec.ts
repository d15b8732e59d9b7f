import { setTimeout as sleep } from 'node:timers/promises';
import { call, Child, production } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { OpenSearchDouble } from '../support/opensearch/opensearch-double.js';
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise';
import type { TestDatabase } from '../support/test-database.js';

const ROUNDS = 3;
const ROUNDS_ANYWHERE = 20;
const MOST_REQUESTS = 40;
const RECORDS = 12;

/** Only a server has OpenSearch beside it. */
describe('The instance that feeds OpenSearch, killed before it stores its place', () => {
  let database: TestDatabase;
  let double: OpenSearchDouble;

  beforeEach(async () => {
    database = await createMigratedDatabase();
    double = await OpenSearchDouble.start();
  });

  afterEach(async () => {
    await double.close();
    await database.drop();
  });

  const start = (): Child => new Child('main.js', [], { ...production(database), SEARCH_URL: double.url });

  async function found(address: string, word: string): Promise<number> {
    const answer = await call(address, 'GET', `/api/cms/search?q=%22${word}%22`);
    const body = (await answer.json()) as { meta?: { total: number } };
    return body.meta?.total ?? -1;
  }

  const create = (address: string, title: string): Promise<Response> =>
    call(address, 'POST', '/api/cms/post', { title, status: 'published' });

  /** From now on no place is stored. Kept when documents were written whose place would be. */
  function placeIsHeld(): Promise<void> {
    return new Promise((resolve) => {
      double.behave = ({ group }) => {
        if (group !== 'index') return 'well';
        resolve();
        return 'hang';
      };
    });
  }

  it('leaves nothing out: another one writes again what was written, and goes on', async () => {
    let feeding = start();
    await feeding.address();
    while (!double.indexes.isAlias('cms')) await sleep(50);

    for (let round = 0; round < ROUNDS; round += 1) {
      const standby = start();
      await standby.address();
      const isHeld = placeIsHeld();
      for (let n = 0; n < RECORDS; n += 1) await create(await feeding.address(), `round${round}`);
      await isHeld;
      await feeding.kill('SIGKILL');
      double.reset();
      feeding = standby;

      while ((await found(await feeding.address(), `round${round}`)) < RECORDS) await sleep(100);
      expect(await found(await feeding.address(), `round${round}`)).toBe(RECORDS);
    }

    expect(double.indexes.names).toEqual(['cms-1']);
    expect(double.indexes.required('cms').count({ query: { exists: { field: 'type_id' } } })).toBe(ROUNDS * RECORDS);
    expect(await feeding.kill('SIGTERM')).toMatchObject({ code: 0 });
  });

  it('leaves nothing out and nothing over, wherever in its feed it was', async () => {
    const connection = await mysql.createConnection(database.url);
    try {
      for (let round = 0; round < ROUNDS_ANYWHERE; round += 1) {
        // The first half ends while the first index is built, the second one while it is fed.
        if (round === ROUNDS_ANYWHERE / 2) await builtByOne(connection);
        await killedWhileItFeeds(round, connection);
      }
      const last = start();
      await last.address();
      const expected = await documentsOf(connection);
      while (double.indexes.names.length !== 1 || !isSame(expected)) await sleep(100);

      expect(expected.size).toBeGreaterThan(ROUNDS_ANYWHERE);
      expect(double.indexes.madeByWrites).toEqual([]);
      expect(await last.kill('SIGTERM')).toMatchObject({ code: 0 });
    } finally {
      await connection.end();
    }
  });

  async function builtByOne(connection: Connection): Promise<void> {
    const service = start();
    await service.address();
    await connection.query("UPDATE leases SET until_at = 0 WHERE name = 'search-feed'");
    while (!double.indexes.isAlias('cms')) await sleep(50);
    await service.kill('SIGTERM');
  }

  /** Writes, changes and removes records until the feed has sent some number of requests, and kills it then. */
  async function killedWhileItFeeds(round: number, connection: Connection): Promise<void> {
    const service = start();
    const address = await service.address();
    // One that was killed has it for fifteen seconds.
    await connection.query("UPDATE leases SET until_at = 0 WHERE name = 'search-feed'");
    let left = 1 + Math.floor(Math.random() * MOST_REQUESTS);
    const isKilled = new Promise<void>((resolve) => {
      double.behave = ({ group }) => {
        if (group === 'search') return 'well';
        left -= 1;
        if (left > 0) return 'well';
        resolve();
        return left % 2 === 0 ? 'drop' : 'lose';
      };
    });
    const over = new AbortController();
    const ended = isKilled.then(async () => {
      over.abort();
      await service.kill('SIGKILL');
    });
    for (let n = 0; !over.signal.aborted; n += 1) await changeSome(address, `${round}x${n}`).catch(() => undefined);
    await ended;
    double.reset();
  }

  async function changeSome(address: string, name: string): Promise<void> {
    const created = await create(address, `kept${name}`);
    const { data } = (await created.json()) as { data: { id: number } };
    const path = `/api/cms/post/${data.id}`;
    if (data.id % 3 === 0) await call(address, 'PATCH', path, { title: `changed${name}` });
    if (data.id % 4 === 0) await call(address, 'DELETE', path);
  }

  /** Titles by the ids of records. */
  async function documentsOf(connection: Connection): Promise<ReadonlyMap<string, string>> {
    const [rows] = await connection.query<RowDataPacket[]>('SELECT record_id AS id, title FROM search_documents');
    return new Map(rows.map(({ id, title }) => [String(id), String(title)]));
  }

  function isSame(expected: ReadonlyMap<string, string>): boolean {
    // Every process may have ended before the first index was complete.
    if (!double.indexes.isAlias('cms')) return false;
    double.refresh();
    const index = double.indexes.required('cms');
    if (index.count({ query: { exists: { field: 'type_id' } } }) !== expected.size) return false;
    return [...expected].every(
      ([id, title]) => index.get(id) !== null && index.count({ query: { term: { title: { value: title } } } }) === 1,
    );
  }
});
