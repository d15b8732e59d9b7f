import type { Response } from 'supertest';
import { ContentTypesService } from '../../src/content-types/store/content-types.service.js';
import { IndexBuilder } from '../../src/content-types/changes/index-builder.js';
import { Reads } from '../../src/database/statements/reads.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { faultsOf, typeRequests } from '../support/type-requests.js';

const MAIL = { name: 'mail', type: 'email', unique: true, indexed: true };
const EXACT = { ...MAIL, exact: true };
const FOLDED = { ...MAIL, exact: false };

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

  describe('says how it compares', () => {
    it('in the type, and only there', async () => {
      const plain = { name: 'plain', type: 'email', indexed: true };
      const type = await aTypeWith([MAIL, plain, { ...EXACT, name: 'case' }]);

      const { body } = await service.http().get(`/api/cms/types/${type}`).expect(200);

      const shown = body.data.fields.map(({ exact }: { exact?: boolean }) => exact);
      expect(shown).toEqual([false, undefined, true]);
    });

    it.each([
      ['an e-mail field that is not unique', { name: 'a', type: 'email', indexed: true }],
      ['a text', { name: 'a', type: 'string', unique: true }],
      ['a list of addresses', { name: 'a', type: 'list', of: 'email' }],
    ])('which %s cannot', async (_, field) => {
      const send = (exact: boolean) =>
        service
          .http()
          .post('/api/admin/types')
          .send({ name: `none-${field.type}`, fields: [{ ...field, exact }] });

      expect(faultsOf(await send(true))).toEqual(['fields.0.exact: not_applicable']);
    });

    it('letter by letter where the field says so', async () => {
      const type = await aTypeWith([EXACT]);
      await aRecord(type, { mail: 'A@b.com' });
      await aRecord(type, { mail: 'a@b.com' });

      expect(await mailsOf(type, 'filter[mail]=A@b.com')).toEqual(['A@b.com']);
      expect((await write(type, 'a@b.com')).status).toBe(422);
    });
  });

  describe('that compares letter by letter', () => {
    it('stays as it is while nothing else is sent', async () => {
      const type = await aTypeWith([EXACT]);

      await change(type, { ...MAIL, label: 'Address' }).expect(200);

      expect(await fieldOf(type)).toMatchObject({ label: 'Address', exact: true });
      await change(type, { name: 'mail', type: 'email', indexed: true }).expect(200);
      expect(await fieldOf(type)).not.toHaveProperty('exact');
      await change(type, MAIL).expect(200);
      expect(await fieldOf(type)).toMatchObject({ exact: false });
    });

    it('goes on while values differ in case only: the refusal names their records', async () => {
      const type = await aTypeWith([EXACT]);
      const first = await aRecord(type, { mail: 'A@b.com' });
      await aRecord(type, { mail: 'other@b.com' });
      const second = await aRecord(type, { mail: 'a@b.com' });

      const refused = await change(type, FOLDED);

      expect([refused.status, refused.body.error]).toEqual([409, 'type_in_use']);
      const details = [{ field: 'mail', change: 'unique', records: 2, ids: [first, second] }];
      expect(refused.body.details).toEqual(details);
      expect(refused.body.message).toContain(`2 records (${first}, ${second})`);
      const confirmed = await service
        .http()
        .put(`/api/admin/types/${type}?confirm=${type}`)
        .send({ fields: [FOLDED] });
      expect(confirmed.status).toBe(409);
      expect(await fieldOf(type)).toMatchObject({ exact: true });
      expect(await mailsOf(type, 'filter[mail]=A@b.com')).toEqual(['A@b.com']);
    });

    it('stops doing so once none do, and finds all spellings', async () => {
      const type = await aTypeWith([EXACT]);
      for (const mail of ['A@b.com', 'B@b.com', 'c@b.com']) await aRecord(type, { mail });

      const { body } = await change(type, FOLDED).expect(200);

      expect(body.data.fields[0]).toMatchObject({ unique: true, exact: false });
      expect(await indexedIn(type)).toEqual(['a@b.com', 'b@b.com', 'c@b.com']);
      expect(await mailsOf(type, 'filter[mail]=a@B.COM')).toEqual(['A@b.com']);
      expect((await write(type, 'b@b.com')).status).toBe(422);
    });

    it('begins again to do so without a look at the records', async () => {
      const type = await aTypeWith([FOLDED]);
      await aRecord(type, { mail: 'A@b.com' });

      await change(type, EXACT).expect(200);

      expect(await indexedIn(type)).toEqual(['A@b.com']);
      await aRecord(type, { mail: 'a@b.com' });
      expect((await write(type, 'A@b.com')).status).toBe(422);
    });

    it('cannot become unique without regard to case while values differ in it only', async () => {
      const type = await aTypeWith([{ name: 'mail', type: 'email' }]);
      await aRecord(type, { mail: 'A@b.com' });
      await aRecord(type, { mail: 'a@b.com' });

      expect((await change(type, FOLDED)).status).toBe(409);
      await change(type, EXACT).expect(200);
    });

    it('is a unique text with the values that it had, once that is its kind', async () => {
      const type = await aTypeWith([FOLDED]);
      await aRecord(type, { mail: 'A@b.com' });

      await change(type, { name: 'mail', type: 'string', unique: true, indexed: true }).expect(200);

      expect(await indexedIn(type)).toEqual(['A@b.com']);
      expect(await fieldOf(type)).not.toHaveProperty('exact');
    });
  });

  describe('whose index is being written anew', () => {
    /** Has something done once the change is committed, before the first record gets its new rows. */
    function beforeTheRows(work: () => Promise<unknown>): void {
      const builder = service.app.get(IndexBuilder);
      const build = builder.build.bind(builder);
      jest.spyOn(builder, 'build').mockImplementationOnce(async (one) => {
        await work();
        await build(one);
      });
    }

    it('compares letter by letter again when a value repeats by then', async () => {
      const type = await aTypeWith([EXACT]);
      await aRecord(type, { mail: 'A@b.com' });
      beforeTheRows(async () => {
        expect((await write(type, 'a@b.com')).status).toBe(201);
      });

      const refused = await change(type, FOLDED);

      expect([refused.status, refused.body.error]).toEqual([409, 'type_in_use']);
      expect(await fieldOf(type)).toMatchObject({ unique: true, exact: true });
      expect(await fieldOf(type)).not.toHaveProperty('building');
      expect(await indexedIn(type)).toEqual(['A@b.com', 'a@b.com']);
      expect((await write(type, 'A@b.com')).status).toBe(422);
    });

    it.each([
      ['to ignore case', EXACT, FOLDED],
      ['to tell cases apart', FOLDED, EXACT],
    ])('%s takes no value that a record has', async (_, before, after) => {
      const type = await aTypeWith([before]);
      await aRecord(type, { mail: 'A@b.com' });
      const answers: Response[] = [];
      beforeTheRows(async () => answers.push(await write(type, 'A@b.com')));

      await change(type, after).expect(200);

      expect(answers.map(faultsOf)).toEqual([['mail: unique']]);
      expect(await indexedIn(type)).toHaveLength(1);
      expect(await fieldOf(type)).toMatchObject({ unique: true, exact: after.exact });
    });
  });
});
