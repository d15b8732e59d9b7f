import { createHash } from 'node:crypto';
import { Writer } from '../../src/database/statements/writer.js';
import { stopMonotonicClock } from '../support/clock.js';
import { aPerson, signedIn } from '../support/sign-in.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

/** What another instance has changed shows within this time. */
const PROMISED_MS = 5_000;

interface Item {
  readonly id: number;
  readonly title: string;
}

describe('A list that was asked for before', () => {
  let service: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    other = await startTestApp({ RATE_LIMITS: 'off', DATABASE_URL: service.database.url });
    await service
      .http()
      .post('/api/admin/types')
      .send({ name: 'note', label: 'Note', taxonomies: ['tag'] })
      .expect(201);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await other.close();
    await service.close();
  });

  const create = async (body: object, token?: string): Promise<number> =>
    (await service.http(token).post('/api/cms/note').send(body).expect(201)).body.data.id as number;
  const change = (id: number, body: object, on = service) =>
    on.http().put(`/api/cms/note/${id}`).send(body).expect(200);

  const ask = async (path: string, on = service, token?: string) => (await on.http(token).get(path).expect(200)).text;

  /** Asks until nothing about the list is new to the service. */
  async function known(path: string, on = service): Promise<string> {
    for (let times = 0; times < 3; times += 1) await ask(path, on);
    return ask(path, on);
  }

  /** The list as records that are read one by one say that it is, its `meta` apart. */
  async function records(text: string): Promise<string> {
    const { data } = JSON.parse(text) as { data: Item[] };
    const read = await Promise.all(data.map(({ id }) => ask(`/api/cms/note/${id}`)));
    return `{"data":[${read.map((one) => one.slice('{"data":'.length, -1)).join(',')}],"meta":`;
  }

  const expectExact = async (path: string, on = service): Promise<Item[]> => {
    const text = await ask(path, on);
    expect(text.startsWith(await records(text))).toBe(true);
    return (JSON.parse(text) as { data: Item[] }).data;
  };

  const titles = (items: readonly Item[]) => items.map(({ title }) => title);

  it('has the bytes, the validator and the news of nothing new that it had at first', async () => {
    await create({ title: 'Žluťoučký kůň 🐎', body: '"quoted"\n\u2028', terms: { tag: ['Äpfel', 'b'] } });
    await create({ title: 'Second', status: 'published' });
    const path = '/api/cms/note?per_page=2';
    const first = await service.http().get(path).expect(200);

    await known(path);
    const last = await service.http().get(path).expect(200);

    expect(last.text).toBe(first.text);
    expect(last.headers.etag).toBe(`"${createHash('sha1').update(last.text).digest('base64url')}"`);
    expect({ ...last.headers, date: '', 'x-request-id': '' }).toEqual({
      ...first.headers,
      date: '',
      'x-request-id': '',
    });
    await service
      .http()
      .get(path)
      .set('If-None-Match', last.headers.etag ?? '')
      .expect(304, '');
    expect(await ask('/api/cms/note?per_page=2&fields=title')).not.toContain('body');
    await expectExact(path);
  });

  it('shows a write at once, by this instance and by another one', async () => {
    const id = await create({ title: 'Before' });
    const path = '/api/cms/note?per_page=3';
    await known(path);

    await change(id, { body: 'Now with a body' });
    expect(await ask(path)).toContain('Now with a body');
    await change(id, { title: 'After' }, other);
    expect(titles(await expectExact(path))).toContain('After');
    const added = await create({ title: 'Added' });
    expect(titles(await expectExact(path))[0]).toBe('Added');
    await service.http().delete(`/api/cms/note/${added}`).expect(204);
    expect(titles(await expectExact(path))).not.toContain('Added');
    await service.http().post(`/api/cms/note/${added}/restore`).expect(200);
    expect(titles(await expectExact(path))[0]).toBe('Added');
  });

  it('shows only what is published to those who may see no more', async () => {
    const id = await create({ title: 'Open', status: 'published' });
    const path = '/api/cms/note?per_page=4';
    const seen = async () => titles((JSON.parse(await ask(path, service, TOKENS.reader)) as { data: Item[] }).data);
    await known(path);
    for (let times = 0; times < 3; times += 1) expect(await seen()).toContain('Open');

    await change(id, { status: 'draft' });

    expect(await seen()).not.toContain('Open');
    expect(titles(await expectExact(path))).toContain('Open');
  });

  it('shows terms as they are called now', async () => {
    await create({ title: 'Tagged', terms: { tag: ['Apples'] } });
    const path = '/api/cms/note?per_page=5';
    expect(await known(path)).toContain('"name":"Apples"');

    const term = '/api/cms/taxonomy/tag/slug:apples';
    await service.http().put(term).send({ name: 'Pears' }).expect(200);
    expect(await ask(path)).toContain('"name":"Pears"');
    await expectExact(path);
    await known(path);
    await service.http().delete(`${term}?force=true`).expect(204);
    expect(await ask(path)).not.toContain('Pears');
    await expectExact(path);
  });

  it('shows authors by their names of now, on another instance within five seconds', async () => {
    const pass = stopMonotonicClock();
    const editor = await aPerson(service, { name: 'Ann Young', role: 'editor' });
    const { token } = await signedIn(service, editor);
    await create({ title: 'By Ann' }, token);
    const path = '/api/cms/note?per_page=6';
    for (const instance of [service, other]) expect(await known(path, instance)).toContain('Ann Young');

    await service.http().put(`/api/users/${editor.id}`).send({ name: 'Ann Old' }).expect(200);
    await create({ title: 'By Ann again' }, token);
    pass(PROMISED_MS);

    for (const instance of [service, other]) {
      const text = await ask(path, instance);
      expect([text.includes('Ann Old'), text.includes('Ann Young')]).toEqual([true, false]);
      await expectExact(path, instance);
    }
  });

  it('shows fields that its type has since got, and none that it has lost', async () => {
    const { body } = await service.http().get('/api/admin/types/note').expect(200);
    const { fields } = body.data as { fields: object[] };
    const path = '/api/cms/note?per_page=7';
    await known(path);

    await service
      .http()
      .put('/api/admin/types/note')
      .send({ fields: [...fields, { name: 'mood', type: 'string', label: 'Mood' }] })
      .expect(200);

    expect(await ask(path)).toContain('"mood":null');
    await expectExact(path);
    const id = await create({ title: 'Moody', mood: 'calm' });
    expect(await known(path)).toContain('"mood":"calm"');
    await change(id, { mood: 'sad' });
    expect(await ask(path)).toContain('"mood":"sad"');
    await expectExact(path);

    await service.http().put('/api/admin/types/note?confirm=note').send({ fields }).expect(200);
    expect(await ask(path)).not.toContain('"mood"');
    await expectExact(path);
  });

  it('may hold records that are long, alone or together', async () => {
    const long = 'x'.repeat(70_000);
    const path = '/api/cms/note?per_page=20';
    await create({ title: 'One long record', body: long });
    expect((await known(path)).length).toBeGreaterThan(70_000);
    await expectExact(path);

    for (let n = 0; n < 10; n += 1) await create({ title: `Of ten ${n}`, body: 'y'.repeat(60_000) });
    const first = '/api/cms/note?per_page=10';
    expect((await known(first)).length).toBeGreaterThan(600_000);
    expect(titles(await expectExact(first))).toHaveLength(10);
    expect(await known(first)).toBe(await ask(first));
  });

  it('shows another record that has the id, version and time of one that was removed', async () => {
    const id = await create({ title: 'Removed', status: 'published' });
    const path = `/api/cms/note?filter[id]=${id}`;
    expect(await known(path)).toContain('Removed');

    // What a removal for good and an import of a record with the same id come to.
    const { source } = service.app.get(Writer, { strict: false });
    await source.query("UPDATE records SET title = 'Another', slug = 'another' WHERE id = ?", [id]);

    expect(titles(await expectExact(path))).toEqual(['Another']);
  });

  it('is exact while its records are written', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, (_, n) => create({ title: `Note ${n}`, body: '0' })));
    const path = '/api/cms/note?per_page=5&sort=-id';
    await known(path);
    const writer = { isDone: false };
    const writing = (async () => {
      for (let n = 1; n <= 20; n += 1) {
        for (const id of ids) await change(id, { title: `Round ${n}`, body: String(n) }, n % 2 ? service : other);
      }
      writer.isDone = true;
    })();

    while (!writer.isDone) {
      const { data } = JSON.parse(await ask(path)) as { data: (Item & { body: string; version: number })[] };
      for (const { title, body, version } of data) {
        expect([title, body]).toEqual(version === 1 ? [expect.stringMatching(/^Note/), '0'] : [`Round ${body}`, body]);
        expect(Number(body)).toBe(version - 1);
      }
    }
    await writing;
    await expectExact(path);
  });
});
