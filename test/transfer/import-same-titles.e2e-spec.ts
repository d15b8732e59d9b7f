import { join } from 'node:path';
import { OPERATOR } from '../../src/cli/operator-events.js';
import { readCsv } from '../../src/transfer/formats/csv/csv.js';
import { Importer } from '../../src/transfer/import/importer.js';
import { folderOf } from '../support/import-files.js';
import { statementsDuring } from '../support/statements.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const OPTIONS = { caller: OPERATOR, type: 'page', status: null, isDryRun: false };
const LOOK_UP = 'FROM records WHERE type_id = ? AND slug IN';

describe('An import of items of one title', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
  });
  afterAll(() => service.close());

  async function imported(source: string, titles: readonly string[]) {
    const rows = titles.map((title, n) => `${title},${source}-${n}`);
    const { path, remove } = folderOf({ 'items.csv': `title,id\n${rows.join('\n')}\n` });
    try {
      return await service.app.get(Importer).run(readCsv(join(path, 'items.csv')), { ...OPTIONS, source });
    } finally {
      remove();
    }
  }

  it('numbers their slugs one after the other, and looks none of them up by itself', async () => {
    const statements = statementsDuring(service);

    const first = await imported('first', Array<string>(150).fill('Weekly'));
    const second = await imported('second', ['Weekly 200', ...Array<string>(150).fill('Weekly')]);

    const lookUps = statements.filter((sql) => sql.includes(LOOK_UP)).length;
    expect([first.counts.created, second.counts.created]).toEqual([150, 151]);
    // Some for each unit of work, of which a slow machine has more; 300 where each item has its own.
    expect(lookUps).toBeLessThan(150);
    const slugs = ['weekly-2', 'weekly-150', 'weekly-151', 'weekly-200', 'weekly-301'];
    for (const slug of slugs) await service.http().get(`/api/cms/page/slug:${slug}`).expect(200);
    await service.http().get('/api/cms/page/slug:weekly-302').expect(404);
  });

  it('ends beside a writer of the same title, with a number for each', async () => {
    const state = { isOver: false, written: 0 };
    const beside = (async () => {
      while (!state.isOver) {
        await service.http().post('/api/cms/page').send({ title: 'Daily' }).expect(201);
        state.written += 1;
      }
    })();

    const { counts } = await imported('daily', Array<string>(300).fill('Daily')).finally(() => (state.isOver = true));

    await beside;
    expect(counts).toMatchObject({ created: 300, refused: 0 });
    const { body } = await service.http().get('/api/cms/page?filter[slug][starts]=daily').expect(200);
    expect(body.meta.total).toBe(300 + state.written);
  });
});
