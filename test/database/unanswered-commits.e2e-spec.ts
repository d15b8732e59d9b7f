import { randomBytes } from 'node:crypto';
import { Writer } from '../../src/database/statements/writer.js';
import { CommitProxy } from '../support/commit-proxy.js';
import { expectError } from '../support/errors.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const { TEST_DATABASE_URL: server } = process.env;

describe('A write that the database does not confirm', () => {
  let service: TestApp;

  const create = (title: string) => service.http().post('/api/cms/post').send({ title });
  const titled = async (title: string): Promise<number> => {
    const { body } = await service.http().get('/api/cms/post?per_page=100&fields=title').expect(200);
    return (body.data as { title: string }[]).filter((record) => record.title === title).length;
  };

  if (server === undefined) onFile();
  else onServer(server);

  /** A commit to a file is a call of a function, which cannot lose its answer. */
  function onFile(): void {
    beforeAll(async () => {
      service = await startTestApp();
    });
    afterAll(() => service.close());

    it('was not made where the file is full', async () => {
      const { source } = service.app.get(Writer, { strict: false });
      const [{ page_count: pages }] = await source.query('PRAGMA page_count');
      await source.query(`PRAGMA max_page_count = ${pages}`);

      const full = await service
        .http()
        .post('/api/cms/post')
        .send({ title: 'Full', body: randomBytes(100_000).toString('hex') });

      expectError(full, 'storage_full');
      expect(await titled('Full')).toBe(0);
      await source.query('PRAGMA max_page_count = 1000000');
      await create('Room again').expect(201);
    });
  }

  function onServer(url: string): void {
    let proxy: CommitProxy;

    beforeAll(async () => {
      proxy = await CommitProxy.start(url);
      process.env.TEST_DATABASE_URL = proxy.url;
      service = await startTestApp();
    });

    afterAll(async () => {
      await service.close();
      process.env.TEST_DATABASE_URL = url;
      await proxy.stop();
    });

    it('after its COMMIT was passed on is outcome_unknown, without Retry-After, and was made once', async () => {
      proxy.next('unanswered', 'Paid order 4711');

      const answer = await create('Paid order 4711');

      expectError(answer, 'outcome_unknown');
      expect(answer.headers).not.toHaveProperty('retry-after');
      expect(answer.body.message).toMatch(/may have been made or not/);
      expect([proxy.met, await titled('Paid order 4711')]).toEqual([1, 1]);
    });

    it('before its COMMIT was passed on is outcome_unknown as well, and was not made', async () => {
      proxy.next('unsent', 'Paid order 4712');

      expectError(await create('Paid order 4712'), 'outcome_unknown');

      expect([proxy.met, await titled('Paid order 4712')]).toEqual([2, 0]);
    });

    it('leaves the service whole: the next write is made', async () => {
      await create('Paid order 4713').expect(201);

      expect(await titled('Paid order 4713')).toBe(1);
    });
  }
});
