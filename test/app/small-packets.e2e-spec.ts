import { Writer } from '../../src/database/statements/writer.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Of each character of this text two of three bytes get into the index, with a mark and a blank. */
const CJK = '検索';
/** In a long text each byte is sent in two digits. */
const BYTES_PER_CHARACTER = 16;

describe('A record that is longer than the database server takes in one statement', () => {
  let service: TestApp;
  /** `max_allowed_packet`; a file takes what fits into memory. */
  let limit = Infinity;

  beforeAll(async () => {
    service = await startTestApp();
    if (process.env.TEST_DATABASE_URL === undefined) return;
    const [row] = await service.app
      .get(Writer)
      .source.query<{ n: number | string }[]>('SELECT @@max_allowed_packet AS n');
    limit = Number(row?.n);
  });

  afterAll(() => service.close());

  it.each([20_000, 300_000])('is 413 and changes nothing, and one that fits is written (%i characters)', async (n) => {
    const body = CJK.repeat(n / CJK.length);
    const expected = n * BYTES_PER_CHARACTER > limit ? 413 : 201;

    const made = await service
      .http()
      .post('/api/cms/post')
      .send({ title: `Of ${n}`, body });

    expect([made.status, made.body.error]).toEqual([expected, expected === 413 ? 'payload_too_large' : undefined]);
    const found = await service
      .http()
      .get('/api/cms/post')
      .query({ 'filter[title]': `Of ${n}`, fields: 'id' });
    expect(found.body.meta.total).toBe(expected === 413 ? 0 : 1);
  });

  it('leaves a record as it was that would have become one', async () => {
    const made = await service.http().post('/api/cms/post').send({ title: 'Grows', body: 'short' }).expect(201);
    const body = CJK.repeat(150_000);

    const changed = await service.http().patch(`/api/cms/post/${made.body.data.id}`).send({ body });

    const isTooLong = body.length * BYTES_PER_CHARACTER > limit;
    expect(changed.status).toBe(isTooLong ? 413 : 200);
    const read = await service.http().get(`/api/cms/post/${made.body.data.id}`);
    expect(read.body.data.body).toBe(isTooLong ? 'short' : body);
  });
});
