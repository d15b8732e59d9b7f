import type { INestApplication } from '@nestjs/common';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import supertest from 'supertest';
import { createApp } from '../../src/app/app.setup.js';
import { readSettings } from '../../src/config/settings.js';
import { Reads } from '../../src/database/statements/reads.js';
import { builtService } from '../support/built-service.js';
import { Child, production } from '../support/child-service.js';
import { folderOf } from '../support/import-files.js';
import { API_TOKENS, TOKENS } from '../support/test-app.js';
import { createTestFile, type TestDatabase } from '../support/test-database.js';

const ITEMS = 6_000;
/** Far more than any machine writes while a unit may hold the lock. */
const LARGEST_UNIT = 2_000;

/** On a file, whatever the other tests run on: there each unit of an import keeps the service from writing. */
describe('A service beside an import of the command line', () => {
  let database: TestDatabase;
  let folder: { path: string; remove: () => void };
  let app: INestApplication<Server>;

  beforeAll(async () => {
    builtService();
    database = createTestFile();
    const rows = Array.from({ length: ITEMS }, (_, n) => `item ${n},tag ${n % 7}|tag ${n % 5},key-${n}`);
    folder = folderOf({ 'items.csv': `title,tag,id\n${rows.join('\n')}\n` });
    const settings = readSettings('test', { API_TOKENS, DATABASE_URL: database.url, DATA_DIR: folder.path });
    app = await createApp(settings, pino({ level: 'silent' }));
    await app.listen(0, '127.0.0.1');
  });

  afterAll(async () => {
    await app.close();
    folder.remove();
    await database.drop();
  });

  it('writes between its units, and has every write and read answered', async () => {
    const http = supertest.agent(app.getHttpServer()).set('Authorization', `Bearer ${TOKENS.admin}`);
    const child = new Child('cli.js', ['import', join(folder.path, 'items.csv'), '--json'], production(database));
    let code: number | null | undefined;
    void child.ended.then((ended) => (code = ended.code));

    const own: number[] = [];
    const answers = new Set<number>();
    while (code === undefined) {
      const written = await http.post('/api/cms/post').send({ title: 'beside' });
      const read = await http.get('/api/cms/post?per_page=1');
      answers.add(written.status).add(read.status);
      own.push(written.body.data.id as number);
    }

    expect([...answers].toSorted((a, b) => a - b)).toEqual([200, 201]);
    expect(code).toBe(0);
    const imported = await app
      .get(Reads)
      .select<{ id: number; created_at: number }>(
        'SELECT r.id, r.created_at FROM records r JOIN record_sources s ON s.record_id = r.id ORDER BY r.id',
      );
    expect(imported).toHaveLength(ITEMS);
    expect(largest(imported.map(({ created_at }) => created_at))).toBeLessThan(LARGEST_UNIT);
    const [first = 0, last = 0] = [imported[0]?.id, imported.at(-1)?.id];
    // Ids are given out in the order of the commits.
    const between = own.filter((id) => id > first && id < last);
    const places = new Set(between.map((id) => imported.findIndex((one) => one.id > id)));
    expect(places.size).toBeGreaterThan(ITEMS / LARGEST_UNIT);
  });
});

/** How often the most frequent value is there: the items of a unit have its time. */
function largest(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Math.max(...counts.values());
}
