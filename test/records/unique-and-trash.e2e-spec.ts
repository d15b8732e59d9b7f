import { startTestApp, type TestApp } from '../support/test-app.js';
import { faultsOf, typeRequests } from '../support/type-requests.js';

describe('A record whose unique value was given to another one while it was in the trash', () => {
  let service: TestApp;
  const { aTypeWith, aRecord } = typeRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  const FIELDS = [
    { name: 'sku', type: 'string', unique: true, indexed: true, required: true },
    { name: 'mail', type: 'email', unique: true },
    { name: 'note', type: 'string' },
  ];
  const trash = (type: string, id: number) => service.http().delete(`/api/cms/${type}/${id}`).expect(204);
  const restore = (type: string, id: number) => service.http().post(`/api/cms/${type}/${id}/restore`).expect(200);

  it('comes back without it, and the answer names the field', async () => {
    const type = await aTypeWith(FIELDS);
    const id = await aRecord(type, { sku: 'a', mail: 'a@example.com', note: 'kept' });
    await trash(type, id);
    await aRecord(type, { sku: 'a', mail: 'other@example.com' });

    const { body } = await restore(type, id);

    expect(body.meta).toEqual({ restore: { skipped: [{ field: 'sku', reason: 'value_taken' }] } });
    expect(body.data).toMatchObject({ sku: null, mail: 'a@example.com', note: 'kept' });
    expect((await service.http().get(`/api/cms/${type}/${id}`)).body.data).toEqual(body.data);
    const sorted = await service.http().get(`/api/cms/${type}?sort=sku`).expect(200);
    expect(sorted.body.data).toHaveLength(2);
    await service.http().put(`/api/cms/${type}/${id}`).send({ sku: 'b' }).expect(200);
  });

  it('keeps all of its values where none was taken', async () => {
    const type = await aTypeWith(FIELDS);
    const id = await aRecord(type, { sku: 'a', mail: 'a@example.com' });
    await trash(type, id);

    const { body } = await restore(type, id);

    expect(body.meta).toEqual({ restore: { skipped: [] } });
    expect(body.data).toMatchObject({ sku: 'a', mail: 'a@example.com' });
    expect((await restore(type, id)).body.meta).toEqual({ restore: { skipped: [] } });
  });

  it('gives the value to one of several that are restored together', async () => {
    const type = await aTypeWith(FIELDS);
    const ids: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const id = await aRecord(type, { sku: 'same' });
      await trash(type, id);
      ids.push(id);
    }

    const answers = await Promise.all(ids.map((id) => restore(type, id)));

    expect(answers.filter(({ body }) => body.data.sku === 'same')).toHaveLength(1);
    expect(answers.filter(({ body }) => body.meta.restore.skipped.length === 1)).toHaveLength(5);
  });

  it.each([
    ['title', 'title: control'],
    ['code', 'code: control'],
    ['mail', 'mail: control'],
    ['link', 'link: control'],
    ['kind', 'kind: enum'],
    ['codes', 'codes.0: control'],
  ])('%s takes no control characters', async (name, fault) => {
    const type = await aTypeWith([
      { name: 'code', type: 'string', indexed: true },
      { name: 'mail', type: 'email' },
      { name: 'link', type: 'url' },
      { name: 'kind', type: 'enum', values: ['a'] },
      { name: 'codes', type: 'list', of: 'string' },
    ]);
    const text = 'x\u0001';
    const body = { title: 'T', [name]: name === 'codes' ? [text] : text };

    const answer = await service.http().post(`/api/cms/${type}`).send(body);

    expect([answer.status, faultsOf(answer)]).toEqual([422, expect.arrayContaining([fault])]);
  });

  it('mail is one value in each form of its domain, to other records and to filters, and says what it does not take', async () => {
    const type = await aTypeWith([{ name: 'mail', type: 'email', unique: true, indexed: true }]);
    const post = (mail: string) => service.http().post(`/api/cms/${type}`).send({ title: 'T', mail });
    const found = async (mail: string) =>
      (await service.http().get(`/api/cms/${type}`).query({ 'filter[mail]': mail }).expect(200)).body.meta
        .total as number;

    const { body } = await post(' anna@müller.example\n').expect(201);
    const [twin, unsupported] = [await post('Anna@xn--mller-kva.example'), await post('jürgen@example.org')];

    expect(body.data.mail).toBe('anna@xn--mller-kva.example');
    expect([twin.status, faultsOf(twin)]).toEqual([422, ['mail: unique']]);
    expect(unsupported.body.message).toMatch(/^mail has characters outside of ASCII before the @/);
    expect([await found('anna@müller.example'), await found('ANNA@MÜLLER.EXAMPLE'), await found('ann@b.org')]).toEqual([
      1, 1, 0,
    ]);
  });

  it('takes tabs and line ends in one-line fields, and every control character in long ones', async () => {
    const type = await aTypeWith([
      { name: 'code', type: 'string' },
      { name: 'long', type: 'text' },
    ]);

    const id = await aRecord(type, { code: 'a\tb\r\nc', long: 'x\u0001' });

    expect((await service.http().get(`/api/cms/${type}/${id}`)).body.data).toMatchObject({ code: 'a\tb\r\nc' });
  });
});
