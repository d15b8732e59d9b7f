import type { INestApplication } from '@nestjs/common';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import supertest from 'supertest';
import { createApp } from '../../src/app/app.setup.js';
import { readSettings } from '../../src/config/settings.js';
import { ForeignLock } from '../support/foreign-lock.js';
import { API_TOKENS, TOKENS } from '../support/test-app.js';

/** On a file, whatever the other tests run on: servers have no lock of the whole database. */
describe('A lock that another process has on the file of SQLite', () => {
  let folder: string;
  let app: INestApplication<Server>;
  let lock: ForeignLock;
  let http: ReturnType<typeof supertest.agent>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cms-lock-'));
    const file = join(folder, 'cms.sqlite');
    const settings = readSettings('test', { API_TOKENS, DATABASE_URL: `sqlite:${file}`, DATA_DIR: folder });
    app = await createApp(settings, pino({ level: 'silent' }));
    await app.listen(0, '127.0.0.1');
    http = supertest.agent(app.getHttpServer()).set('Authorization', `Bearer ${TOKENS.admin}`);
  });

  beforeEach(async () => {
    lock = await ForeignLock.take(join(folder, 'cms.sqlite'));
  });

  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  const create = (title: string) => http.post('/api/cms/post').send({ title });

  it('holds up no read, and a write only until it is gone', async () => {
    const events: string[] = [];
    const write = create('waits').then((response) => {
      events.push('written');
      return response;
    });

    expect((await http.get('/health/live')).status).toBe(200);
    expect((await http.get('/api/cms/post')).status).toBe(200);
    events.push('read');
    await lock.release();

    expect((await write).status).toBe(201);
    expect(events).toEqual(['read', 'written']);
  });

  it('refuses writes that have waited for too long, all of them together, and takes others afterwards', async () => {
    const writes = await Promise.all(['a', 'b', 'c'].map(create));

    expect(writes.map(({ status, body }) => [status, body.error])).toEqual(Array(3).fill([503, 'overloaded']));
    expect(writes[0]?.headers['retry-after']).toBe('1');
    await lock.release();
    expect((await create('afterwards')).status).toBe(201);
    expect((await http.get('/api/cms/post?fields=title')).body.meta.total).toBe(2);
  });
});
