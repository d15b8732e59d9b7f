import { setTimeout as sleep } from 'node:timers/promises';
import { call, Child, migratedDatabase, production } from '../support/child-service.js';
import { OpenSearchDouble } from '../support/opensearch/opensearch-double.js';
import type { TestDatabase } from '../support/test-database.js';

const ROUNDS = 3;
const RECORDS = 12;

/** Only a server has OpenSearch beside it. */
describe('The instance that feeds OpenSearch, killed before it stores its place', () => {
  let database: TestDatabase;
  let double: OpenSearchDouble;

  beforeAll(async () => {
    database = await migratedDatabase();
    double = await OpenSearchDouble.start();
  });

  afterAll(async () => {
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
      double.behave = () => 'well';
      feeding = standby;

      while ((await found(await feeding.address(), `round${round}`)) < RECORDS) await sleep(100);
      expect(await found(await feeding.address(), `round${round}`)).toBe(RECORDS);
    }

    expect(double.indexes.names).toEqual(['cms-1']);
    expect(double.indexes.required('cms').count({ query: { exists: { field: 'type_id' } } })).toBe(ROUNDS * RECORDS);
    expect(await feeding.kill('SIGTERM')).toMatchObject({ code: 0 });
  });
});
