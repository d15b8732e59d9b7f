import { Writer } from '../../../src/database/statements/writer.js';
import { runner } from '../../support/cli-runner.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('doctor, of records without their newest revision', () => {
  let service: TestApp;
  let run: ReturnType<typeof runner>;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    run = runner({ DATABASE_URL: service.database.url });
  });
  afterAll(() => service.close());

  it('says what lets their histories go on, in the trash too', async () => {
    const [live, trashed] = [await create('Live'), await create('Trashed')];
    await service.http().delete(trashed).expect(204);
    await service.app.get(Writer, { strict: false }).source.query('DELETE FROM revisions');

    const before = await run('doctor');

    expect(before.out).toContain(
      'fail  revisions   The newest revision of 2 records is not their present version. Change each of them once, as by a PUT of another title and one of its own again, and its history goes on; one in the trash by restoring it (POST …/restore) and deleting it again.',
    );
    expect(before.out).toMatch(/post\/\d+: version 2, no revision, in the trash$/m);

    await service.http().put(live).send({ title: 'Other' }).expect(200);
    await service.http().put(live).send({ title: 'Live' }).expect(200);
    await service.http().post(`${trashed}/restore`).expect(200);
    await service.http().delete(trashed).expect(204);

    expect((await run('doctor')).out).toMatch(/^ok {4}revisions /m);
  });

  async function create(title: string): Promise<string> {
    const { body } = await service.http().post('/api/cms/post').send({ title }).expect(201);
    return `/api/cms/post/${body.data.id}`;
  }
});
