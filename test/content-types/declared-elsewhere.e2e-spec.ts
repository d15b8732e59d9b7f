import { startTestApp, type TestApp } from '../support/test-app.js';

describe('What another process has just declared', () => {
  let one: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    one = await startTestApp();
    other = await startTestApp({ DATABASE_URL: one.database.url });
  });

  afterAll(async () => {
    await other.close();
    await one.close();
  });

  /** Makes the other process look now, so that it has no reason of its own to look soon. */
  const look = () => other.http().get('/api/cms/types').expect(200);

  it.each(['/api/cms/', '/api/cms/types/', '/api/admin/types/'])('is a type under %s at once', async (path) => {
    const name = `seen-${path.split('/').length}${path.length}`;
    await look();

    await one.http().post('/api/admin/types').send({ name }).expect(201);

    await other
      .http()
      .get(path + name)
      .expect(200);
  });

  it('is a taxonomy that terms can be added to at once', async () => {
    await other.http().get('/api/cms/taxonomy/category').expect(200);

    await one.http().post('/api/admin/taxonomies').send({ name: 'mood' }).expect(201);

    await other.http().post('/api/cms/taxonomy').send({ type: 'mood', name: 'Gay' }).expect(201);
  });

  it('is a type that a field of a new one can point to, and that can be searched, at once', async () => {
    await look();
    await one.http().post('/api/admin/types').send({ name: 'target' }).expect(201);
    const fields = [{ name: 'about', type: 'relation', to: ['target'] }];
    await other.http().post('/api/admin/types').send({ name: 'pointer', fields }).expect(201);

    await look();
    await one.http().post('/api/admin/types').send({ name: 'searched' }).expect(201);
    await other.http().get('/api/cms/search?q=word&type=searched').expect(200);
  });

  it('is a taxonomy that a type can be sorted by, and records can have terms of, at once', async () => {
    await other.http().get('/api/admin/taxonomies').expect(200);
    await one.http().post('/api/admin/taxonomies').send({ name: 'genre' }).expect(201);
    await one
      .http()
      .post('/api/admin/types')
      .send({ name: 'song', taxonomies: ['genre'] })
      .expect(201);

    const { body } = await other
      .http()
      .post('/api/cms/song')
      .send({ title: 'A song', terms: { genre: ['New'] } });

    expect(body.data?.terms).toMatchObject({ genre: [{ name: 'New' }] });
    await one.http().post('/api/admin/taxonomies').send({ name: 'era' }).expect(201);
    await other
      .http()
      .post('/api/admin/types')
      .send({ name: 'dance', taxonomies: ['era'] })
      .expect(201);
  });

  it('is read as it is now by those who declare types and taxonomies, and so is each change of it, and its end', async () => {
    for (const path of ['/api/admin/types', '/api/admin/taxonomies']) {
      await other.http().get(path).expect(200);
      await one.http().post(path).send({ name: 'brief' }).expect(201);
      const { body: list } = await other.http().get(path).expect(200);
      expect(list.data.map(({ name }: { name: string }) => name)).toContain('brief');

      await one.http().put(`${path}/brief`).send({ label: 'Called' }).expect(200);
      const { body, headers } = await other.http().get(`${path}/brief`).expect(200);
      expect([body.data.label, headers.etag]).toEqual(['Called', '"2"']);
      await one.http().delete(`${path}/brief`).expect(204);
      await other.http().get(`${path}/brief`).expect(404);
    }
  });

  it('is a field that records can have at once', async () => {
    const { id } = (await other.http().post('/api/cms/page').send({ title: 'Known' }).expect(201)).body.data;
    await look();

    await one
      .http()
      .put('/api/admin/types/page')
      .send({ fields: [{ name: 'colour', type: 'string' }] })
      .expect(200);

    const created = await other.http().post('/api/cms/page').send({ title: 'New', colour: 'red' });
    expect([created.status, created.body.data?.colour]).toEqual([201, 'red']);
    await one
      .http()
      .put('/api/admin/types/page')
      .send({ fields: [{ name: 'shade', type: 'string' }] })
      .query({ confirm: 'page' })
      .expect(200);
    const changed = await other.http().put(`/api/cms/page/${id}`).send({ shade: 'dark' });
    expect([changed.status, changed.body.data?.shade]).toEqual([200, 'dark']);
  });

  it('does not make a wrong body right', async () => {
    const answer = await other.http().post('/api/cms/page').send({ title: 'Wrong', taste: 'sweet' });

    expect([answer.status, answer.body.error]).toEqual([422, 'validation_failed']);
  });
});
