import { createHash } from 'node:crypto';
import { startTestApp, type TestApp } from '../support/test-app.js';

const LISTS = 8;
const ITEMS = 1_000;
const LENGTH = 100;

const listsOf = (mark: string): Record<string, string[]> => {
  const items = Array.from({ length: ITEMS }, (_, n) => `"${mark}" ${n} `.padEnd(LENGTH, 'x'));
  return Object.fromEntries(Array.from({ length: LISTS }, (_, n) => [`list_${n}`, items]));
};

describe('Answers with a long record', () => {
  let service: TestApp;
  let path: string;
  let first: number;
  let last: number;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    const fields = Object.keys(listsOf('')).map((name) => ({ name, type: 'list', of: 'string' }));
    await service.http().post('/api/admin/types').send({ name: 'wide', fields }).expect(201);
    const created = await service
      .http()
      .post('/api/cms/wide')
      .send({ title: 'One', ...listsOf('old') });
    path = `/api/cms/wide/${created.body.data.id}`;
    expect([created.status, created.headers.location, created.headers.etag]).toEqual([201, path, '"1"']);
    expect(created.body.data).toMatchObject(listsOf('old'));
    const changed = await service.http().patch(path).send(listsOf('new'));
    expect([changed.status, changed.headers.etag]).toEqual([200, '"2"']);
    expect(changed.body.data).toMatchObject(listsOf('new'));
    const { body } = await service.http().get(`${path}/revisions`).expect(200);
    [last, first] = body.data.map(({ ts }: { ts: number }) => ts);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  it.each([
    ['a record', '', '"2"'],
    ['some of its fields', `?fields=title,${Object.keys(listsOf('')).join(',')}`, null],
    ['a revision', '/revisions/first', null],
    ['what a revision has changed', '/revisions/last/diff', null],
  ])('have the validator of any other answer: %s', async (_, rest, etag) => {
    const asked = path + rest.replace('first', String(first)).replace('last', String(last));

    const { text, headers, body } = await service.http().get(asked).expect(200);

    expect(text).toBe(JSON.stringify(body));
    expect(text.length).toBeGreaterThan(LISTS * ITEMS * LENGTH);
    expect(headers.etag).toBe(etag ?? `"${createHash('sha1').update(text).digest('base64url')}"`);
    await service
      .http()
      .get(asked)
      .set('If-None-Match', headers.etag ?? '')
      .expect(304);
  });

  it('are those of a dry run of a rollback, with both states', async () => {
    const { text, headers, body } = await service
      .http()
      .post(`${path}/rollback/${first}?dry_run=true`)
      .send({})
      .expect(200);

    expect(text).toBe(JSON.stringify(body));
    expect(body.data).toMatchObject(listsOf('new'));
    expect(body.meta.rollback.changes).toHaveLength(LISTS);
    expect(body.meta.rollback.changes[0]).toMatchObject({ from: listsOf('new').list_0, to: listsOf('old').list_0 });
    expect(headers.etag).toBe('"2"');
  });

  it('need the text of the values only once where they answer a write', async () => {
    const made = jest.spyOn(JSON, 'stringify');

    await service.http().patch(path).send(listsOf('newer')).expect(200);

    const texts = made.mock.results.map(({ value }) => String(value));
    const stored = texts.filter((text) => text.startsWith('{"f_1":')).map(({ length }) => length);
    expect(stored).toHaveLength(1);
  });
});
