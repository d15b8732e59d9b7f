import { locsOf } from '../support/sitemap.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { typeRequests } from '../support/type-requests.js';

const SITE = 'https://www.example.com';

describe('Records in several languages', () => {
  let service: TestApp;
  const { freshName } = typeRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp({ SITE_URL: SITE });
  });

  afterAll(() => service.close());

  const aType = async (path: (name: string) => string): Promise<string> => {
    const name = freshName();
    await service
      .http()
      .post('/api/admin/types')
      .send({ name, url_path: path(name) })
      .expect(201);
    return name;
  };

  it('cannot have the address of a record of another type', async () => {
    const types = () => service.http().post('/api/admin/types');
    await types().send({ name: freshName(), url_path: '/shared/{slug}' }).expect(201);
    const other = await aType((name) => `/${name}/{slug}`);

    expect((await types().send({ name: freshName(), url_path: '/shared/{slug}' })).body.error).toBe('type_in_use');
    const moved = await service.http().put(`/api/admin/types/${other}`).send({ url_path: '/shared/{id}' });
    expect([moved.status, moved.body.error]).toEqual([409, 'type_in_use']);
    await service.http().put(`/api/admin/types/${other}`).send({ label: 'Renamed' }).expect(200);
  });

  it('are told in words what a slug looks like', async () => {
    const answer = await send('post', { slug: 'Hello World/2' });

    expect(answer.body.details).toMatchObject([{ message: expect.stringMatching(/for example hello-world-2\.$/) }]);
  });

  const withLocale = () => aType((name) => `/${name}/{locale}/{slug}`);
  const withoutLocale = () => aType((name) => `/${name}/{slug}`);
  const send = (type: string, body: object) =>
    service
      .http()
      .post(`/api/cms/${type}`)
      .send({ title: 'Same page', slug: 'same-page', status: 'published', ...body });
  const create = async (type: string, body: object) => (await send(type, body).expect(201)).body.data;
  const put = (path: string, body: object) => service.http().put(`/api/cms/${path}`).send(body);
  const get = (path: string) => service.http().get(`/api/cms/${path}`);
  const idsOf = async (path: string) => (await get(path).expect(200)).body.data.map(({ id }: { id: number }) => id);
  const locs = async () => locsOf((await service.anonymous().get('/sitemap.xml').expect(200)).text);

  describe('The name of a language', () => {
    it.each([
      ['pt-br', 'pt-BR'],
      ['PT-br', 'pt-BR'],
      ['zh-hANT-tw', 'zh-Hant-TW'],
      ['iw', 'he'],
    ])('%s is kept as %s', async (sent, kept) => {
      const type = await withLocale();

      const record = await create(type, { locale: sent });

      expect([record.locale, record.url]).toEqual([kept, `${SITE}/${type}/${kept}/same-page`]);
      expect((await put(`${type}/${record.id}`, { locale: sent }).expect(200)).body.data.version).toBe(1);
    });

    it('is the same in one case and in another: there cannot be two', async () => {
      const type = await withLocale();
      await create(type, { locale: 'pt-BR' });

      const second = await send(type, { locale: 'pt-br' });

      expect([second.status, second.body.error]).toEqual([409, 'slug_taken']);
    });

    it('finds what it names, however it is written', async () => {
      const type = await withLocale();
      const { id } = await create(type, { locale: 'pt-BR' });
      await create(type, { locale: 'en' });

      for (const locale of ['pt-BR', 'pt-br', 'PT-BR']) {
        expect(await idsOf(`${type}?filter[locale]=${locale}`)).toEqual([id]);
        expect((await get(`${type}/slug:same-page?locale=${locale}`)).body.data.id).toBe(id);
      }
      expect(await idsOf(`${type}?filter[locale][in]=pt-br,de`)).toEqual([id]);
      expect(await idsOf(`${type}?filter[locale][ne]=pt-br`)).not.toContain(id);
      expect(await idsOf(`${type}?filter[locale][nin]=pt-br`)).not.toContain(id);
    });

    it.each(['english', 'x', 'en_US', 'sl-Latn-nedis', ''])('is refused where it is "%s"', async (locale) => {
      const answer = await send(await withLocale(), { locale });

      expect([answer.status, answer.body.details?.[0].field]).toEqual([422, 'locale']);
    });
  });

  describe('A type whose addresses do not distinguish languages', () => {
    it('has one record of a slug, and says what to do', async () => {
      const type = await withoutLocale();
      await create(type, { locale: 'en' });

      const second = await send(type, { locale: 'de' });

      expect([second.status, second.body.error]).toEqual([409, 'slug_taken']);
      expect(second.body.message).toBe(
        `The ${type} "same-page" in the locale en has that address. ` +
          'Choose another slug, or have {locale} in the url_path of the type.',
      );
      expect(await idsOf(type)).toHaveLength(1);
    });

    it('gives the next number to a slug that is made from the title', async () => {
      const type = await withoutLocale();
      await create(type, { locale: 'en' });

      const second = await create(type, { locale: 'de', slug: null });
      const third = await create(type, { locale: 'fr', slug: null });

      expect([second.slug, third.slug]).toEqual(['same-page-2', 'same-page-3']);
    });

    it('refuses a change to a slug that another language has', async () => {
      const type = await withoutLocale();
      await create(type, { locale: 'en' });
      const { id } = await create(type, { locale: 'de', slug: 'seite' });

      const changed = await put(`${type}/${id}`, { slug: 'same-page' });

      expect([changed.status, changed.body.error]).toEqual([409, 'slug_taken']);
      expect((await get(`${type}/${id}`)).body.data).toMatchObject({ slug: 'seite', version: 1 });
    });

    it('takes changes of the language that two processes make of one record', async () => {
      const other = await startTestApp({ SITE_URL: SITE, DATABASE_URL: service.database.url });
      const type = await withoutLocale();
      const { id } = await create(type, { locale: 'en' });
      const changes = Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? service : other)
          .http()
          .put(`/api/cms/${type}/${id}`)
          .send({ locale: at % 3 === 0 ? 'de' : 'fr', title: `Change ${at}` }),
      );

      const answers = await Promise.all(changes);
      await other.close();

      expect(answers.map(({ status, body }) => (status === 200 ? 200 : body))).toEqual(Array(20).fill(200));
    });

    it('gives a number to what comes out of the trash', async () => {
      const type = await withoutLocale();
      const { id } = await create(type, { locale: 'de' });
      await service.http().delete(`/api/cms/${type}/${id}`).expect(204);
      await create(type, { locale: 'en' });

      const { body } = await service.http().post(`/api/cms/${type}/${id}/restore`).expect(200);

      expect(body.data).toMatchObject({ locale: 'de', slug: 'same-page-2' });
    });

    it('has one record of a slug when two are sent at once', async () => {
      const type = await withoutLocale();
      const locales = ['en', 'de', 'fr', 'it', 'es', 'pt'];

      const answers = await Promise.all(locales.map((locale) => send(type, { locale })));

      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
      expect(await idsOf(type)).toHaveLength(1);
    });

    it('keeps the slug of a rollback to itself', async () => {
      const type = await withoutLocale();
      const { id } = await create(type, { locale: 'de' });
      await put(`${type}/${id}`, { slug: 'seite' }).expect(200);
      await create(type, { locale: 'en' });
      const { body } = await get(`${type}/${id}/revisions`).expect(200);
      const oldest = body.data.at(-1).ts;

      const back = await service.http().post(`/api/cms/${type}/${id}/rollback/${oldest}`).send({}).expect(200);

      expect(back.body.data.slug).toBe('seite');
      expect(back.body.meta.rollback.kept).toContainEqual({ field: 'slug', reason: 'slug_taken' });
    });
  });

  describe('The address of a type', () => {
    it('cannot lose {locale} while records have one slug', async () => {
      const type = await withLocale();
      await create(type, { locale: 'en' });
      const { id } = await create(type, { locale: 'de' });
      await create(type, { locale: 'fr', slug: 'page' });

      const refused = await service
        .http()
        .put(`/api/admin/types/${type}?confirm=${type}`)
        .send({ url_path: `/${type}/{slug}` });

      expect([refused.status, refused.body.error]).toEqual([409, 'type_in_use']);
      expect(refused.body.details).toEqual([{ field: 'url_path', change: 'address', records: 2 }]);
      expect(refused.body.message).toContain('Change their slugs');
      await put(`${type}/${id}`, { slug: 'seite' }).expect(200);
      await service
        .http()
        .put(`/api/admin/types/${type}`)
        .send({ url_path: `/${type}/{slug}` })
        .expect(200);
      await send(type, { locale: 'it' }).expect(409);
    });

    it('distinguishes by the id as well as by the locale', async () => {
      const type = await aType((name) => `/${name}/{slug}-{id}`);

      await create(type, { locale: 'en' });
      await create(type, { locale: 'de' });

      const mine = (await locs()).filter((loc) => loc.includes(`/${type}/`));
      expect(new Set(mine).size).toBe(2);
    });
  });

  describe('slug:<slug>?locale=', () => {
    it.each(['put', 'patch'] as const)('says which record %s changes', async (method) => {
      const type = await withLocale();
      const english = await create(type, { locale: 'en' });
      const german = await create(type, { locale: 'de' });

      await service.http()[method](`/api/cms/${type}/slug:same-page?locale=DE`).send({ title: 'Seite' }).expect(200);

      expect((await get(`${type}/${german.id}`)).body.data.title).toBe('Seite');
      expect((await get(`${type}/${english.id}`)).body.data.title).toBe('Same page');
      const none = await service.http()[method](`/api/cms/${type}/slug:same-page?locale=fr`).send({ title: 'Page' });
      expect([none.status, none.body.error]).toEqual([404, 'record_not_found']);
    });

    it('says which record is deleted', async () => {
      const type = await withLocale();
      const english = await create(type, { locale: 'en' });
      const german = await create(type, { locale: 'de' });

      await service.http().delete(`/api/cms/${type}/slug:same-page?locale=de`).expect(204);
      expect(await idsOf(type)).toEqual([english.id]);
      await service.http().post(`/api/cms/${type}/${german.id}/restore`).expect(200);
      await service.http().delete(`/api/cms/${type}/slug:same-page?locale=de&permanent=true`).expect(204);

      expect(await idsOf(type)).toEqual([english.id]);
      expect(await idsOf(`${type}/-/trash`)).toEqual([]);
    });

    it('says whose history is read and brought back', async () => {
      const type = await withLocale();
      await create(type, { locale: 'en' });
      const german = await create(type, { locale: 'de', title: 'Seite' });
      await put(`${type}/${german.id}`, { title: 'Blatt' }).expect(200);
      const path = `${type}/slug:same-page`;

      const { body } = await get(`${path}/revisions?locale=de`).expect(200);
      expect(body.data).toHaveLength(2);
      const [newest, oldest] = body.data;
      expect((await get(`${path}/revisions/${oldest.ts}?locale=de`)).body.data.snapshot.title).toBe('Seite');
      expect((await get(`${path}/revisions/${newest.ts}/diff?locale=de`).expect(200)).body.data.to.ts).toBe(newest.ts);
      await service.http().post(`/api/cms/${path}/rollback/${oldest.ts}?locale=de`).send({}).expect(200);

      expect((await get(`${type}/${german.id}`)).body.data.title).toBe('Seite');
    });

    it('is no parameter of a create, and stands once', async () => {
      const type = await withLocale();
      await create(type, { locale: 'en' });

      await service.http().post(`/api/cms/${type}?locale=de`).send({ title: 'x' }).expect(400);
      await put(`${type}/slug:same-page?locale=de&locale=en`, { title: 'x' }).expect(400);
      await put(`${type}/slug:same-page?lang=de`, { title: 'x' }).expect(400);
    });
  });
});
