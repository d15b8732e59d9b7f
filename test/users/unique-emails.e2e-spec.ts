import type { Response } from 'supertest';
import { ContentTypesService } from '../../src/content-types/store/content-types.service.js';
import { IndexBuilder } from '../../src/content-types/changes/index-builder.js';
import { Reads } from '../../src/database/statements/reads.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { faultsOf, typeRequests } from '../support/type-requests.js';

const MAIL = { name: 'mail', type: 'email', unique: true, indexed: true };

describe('A unique e-mail field', () => {
  let service: TestApp;
  const { aTypeWith, aRecord } = typeRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(() => service.close());

  const write = (type: string, mail: string): Promise<Response> =>
    service.http().post(`/api/cms/${type}`).send({ title: 'A record', mail });
  const change = (type: string, field: object) =>
    service
      .http()
      .put(`/api/admin/types/${type}`)
      .send({ fields: [field] });
  const fieldOf = async (type: string) =>
    (await service.http().get(`/api/admin/types/${type}`).expect(200)).body.data.fields[0];
  const mailsOf = async (type: string, query: string): Promise<string[]> => {
    const { body } = await service.http().get(`/api/cms/${type}?${query}`).expect(200);
    return body.data.map(({ mail }: { mail: string }) => mail);
  };
  /** Addresses in the index of a type, as it compares them. */
  const indexedIn = async (type: string): Promise<string[]> => {
    const [field] = (await service.app.get(ContentTypesService).require(type)).fields;
    const sql = 'SELECT str FROM record_fields WHERE field_id = ? ORDER BY record_id';
    return (await service.app.get(Reads).select<{ str: string }>(sql, [field?.key ?? 0])).map(({ str }) => str);
  };

  describe('takes spellings that differ in case for one address', () => {
    it('refuses the second one, and names the field', async () => {
      const type = await aTypeWith([MAIL]);
      await aRecord(type, { mail: 'A@b.com' });

      const second = await write(type, 'a@B.com');

      expect(second.status).toBe(422);
      expect(faultsOf(second)).toEqual(['mail: unique']);
    });

    it('lets exactly one of several that are sent together pass', async () => {
      const type = await aTypeWith([MAIL]);

      const answers = await Promise.all(['A@b.cz', 'a@B.cz', 'a@b.CZ', 'A@B.CZ'].map((mail) => write(type, mail)));

      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 422, 422, 422]);
      const refused = answers.filter(({ status }) => status === 422);
      expect(refused.flatMap(faultsOf)).toEqual(['mail: unique', 'mail: unique', 'mail: unique']);
    });

    it('keeps the spelling before the @, which its record may change', async () => {
      const type = await aTypeWith([MAIL]);
      const id = await aRecord(type, { mail: 'A@b.com' });
      expect((await service.http().get(`/api/cms/${type}/${id}`)).body.data.mail).toBe('A@b.com');

      const { body } = await service.http().put(`/api/cms/${type}/${id}`).send({ mail: 'a@B.COM' }).expect(200);

      expect(body.data.mail).toBe('a@b.com');
    });

    it.each([
      ['filter[mail]=ANN@x.cz', ['Ann@x.cz']],
      ['filter[mail][eq]=ann@x.cz', ['Ann@x.cz']],
      ['filter[mail][ne]=ANN@X.cz&sort=mail', ['bob@x.cz', 'Cyril@x.cz']],
      ['filter[mail][in]=ANN@x.cz,BOB@X.CZ&sort=mail', ['Ann@x.cz', 'bob@x.cz']],
      ['filter[mail][nin]=ANN@x.cz,BOB@X.CZ', ['Cyril@x.cz']],
      ['filter[mail][gt]=BOB@x.cz', ['Cyril@x.cz']],
      ['filter[mail][gte]=BOB@x.cz&sort=mail', ['bob@x.cz', 'Cyril@x.cz']],
      ['filter[mail][lt]=BOB@x.cz', ['Ann@x.cz']],
      ['filter[mail][lte]=BOB@x.cz&sort=mail', ['Ann@x.cz', 'bob@x.cz']],
      ['filter[mail][starts]=CYR', ['Cyril@x.cz']],
      ['filter[mail][contains]=YRIL@', ['Cyril@x.cz']],
      ['sort=-mail', ['Cyril@x.cz', 'bob@x.cz', 'Ann@x.cz']],
    ])('finds and sorts each of them: %s', async (query, mails) => {
      const type = await aTypeWith([MAIL]);
      for (const mail of ['Cyril@x.cz', 'Ann@X.cz', 'bob@x.cz']) await aRecord(type, { mail });

      expect(await mailsOf(type, query)).toEqual(mails);
    });

    it('goes on behind a page in the same order', async () => {
      const type = await aTypeWith([MAIL]);
      for (const mail of ['Cyril@x.cz', 'Ann@X.cz', 'bob@x.cz']) await aRecord(type, { mail });
      const first = await service.http().get(`/api/cms/${type}?sort=mail&per_page=2`).expect(200);

      const rest = await mailsOf(type, `sort=mail&per_page=2&cursor=${first.body.meta.next_cursor}`);

      expect(rest).toEqual(['Cyril@x.cz']);
    });

    it('leaves it out when its record comes out of the trash', async () => {
      const type = await aTypeWith([MAIL]);
      const id = await aRecord(type, { mail: 'A@b.com' });
      await service.http().delete(`/api/cms/${type}/${id}`).expect(204);
      await aRecord(type, { mail: 'a@b.com' });

      const { body } = await service.http().post(`/api/cms/${type}/${id}/restore`).expect(200);

      expect(body.meta.restore.skipped).toEqual([{ field: 'mail', reason: 'value_taken' }]);
    });

    it('leaves it out when its record is rolled back', async () => {
      const type = await aTypeWith([MAIL]);
      const id = await aRecord(type, { mail: 'A@b.com' });
      const { body: first } = await service.http().get(`/api/cms/${type}/${id}`);
      await service.http().put(`/api/cms/${type}/${id}`).send({ mail: 'new@b.com' }).expect(200);
      await aRecord(type, { mail: 'a@b.com' });

      const { body } = await service
        .http()
        .post(`/api/cms/${type}/${id}/rollback/${Date.parse(first.data.updated_at)}`)
        .expect(200);

      expect(body.data.mail).toBe('new@b.com');
      expect(JSON.stringify(body.meta.rollback)).toContain('value_taken');
    });
  });

  describe('that was another one before', () => {
    it('cannot become unique while values differ in case only: the refusal names their records', async () => {
      const type = await aTypeWith([{ name: 'mail', type: 'email', indexed: true }]);
      const first = await aRecord(type, { mail: 'A@b.com' });
      await aRecord(type, { mail: 'other@b.com' });
      const second = await aRecord(type, { mail: 'a@b.com' });

      const refused = await change(type, MAIL);

      expect([refused.status, refused.body.error]).toEqual([409, 'type_in_use']);
      const details = [{ field: 'mail', change: 'unique', records: 2, ids: [first, second] }];
      expect(refused.body.details).toEqual(details);
      expect(refused.body.message).toContain(`2 records (${first}, ${second})`);
      const confirmed = await service
        .http()
        .put(`/api/admin/types/${type}?confirm=${type}`)
        .send({ fields: [MAIL] });
      expect(confirmed.status).toBe(409);
      expect(await mailsOf(type, 'filter[mail]=A@b.com')).toEqual(['A@b.com']);
    });

    it('becomes unique once none do, and finds all spellings', async () => {
      const type = await aTypeWith([{ name: 'mail', type: 'email', indexed: true }]);
      for (const mail of ['A@b.com', 'B@b.com', 'c@b.com']) await aRecord(type, { mail });

      await change(type, MAIL).expect(200);

      expect(await indexedIn(type)).toEqual(['a@b.com', 'b@b.com', 'c@b.com']);
      expect(await mailsOf(type, 'filter[mail]=a@B.COM')).toEqual(['A@b.com']);
      expect((await write(type, 'b@b.com')).status).toBe(422);
    });

    it('is a unique text with the values that it had, once that is its kind', async () => {
      const type = await aTypeWith([MAIL]);
      await aRecord(type, { mail: 'A@b.com' });

      await change(type, { name: 'mail', type: 'string', unique: true, indexed: true }).expect(200);

      expect(await indexedIn(type)).toEqual(['A@b.com']);
      expect((await write(type, 'a@b.com')).status).toBe(201);
    });

    it('is not unique when a value repeats before its index is whole', async () => {
      const type = await aTypeWith([{ name: 'mail', type: 'email', indexed: true }]);
      await aRecord(type, { mail: 'A@b.com' });
      const builder = service.app.get(IndexBuilder);
      const build = builder.build.bind(builder);
      jest.spyOn(builder, 'build').mockImplementationOnce(async (one) => {
        expect((await write(type, 'a@b.com')).status).toBe(201);
        await build(one);
      });

      const refused = await change(type, MAIL);

      expect([refused.status, refused.body.error]).toEqual([409, 'type_in_use']);
      expect(await fieldOf(type)).toMatchObject({ unique: false });
      expect(await fieldOf(type)).not.toHaveProperty('building');
      expect(await indexedIn(type)).toEqual(['A@b.com', 'a@b.com']);
    });
  });
});
