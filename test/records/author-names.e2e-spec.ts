import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import { stopMonotonicClock } from '../support/clock.js';
import { aPerson, signedIn, type Person } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** What another instance has changed shows within this time. */
const PROMISED_MS = 5_000;

describe('Names of authors', () => {
  let one: TestApp;
  let other: TestApp;
  let pass: (milliseconds: number) => void;

  beforeAll(async () => {
    one = await startTestApp({ RATE_LIMITS: 'off' });
    other = await startTestApp({ RATE_LIMITS: 'off', DATABASE_URL: one.database.url });
    // For all tests: time never goes back.
    pass = stopMonotonicClock();
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await other.close();
    await one.close();
  });

  async function anEditor(name: string): Promise<Person & { token: string }> {
    const person = await aPerson(one, { name, role: 'editor' });
    return { ...person, ...(await signedIn(one, person)) };
  }

  async function create(token: string): Promise<number> {
    const { body } = await one.http(token).post('/api/cms/post').send({ title: 'Written' }).expect(201);
    return (body as { data: { id: number } }).data.id;
  }

  const rename = ({ id }: Person, name: string) => one.http().put(`/api/users/${id}`).send({ name }).expect(200);

  const author = async (service: TestApp, id: number): Promise<unknown> =>
    (await service.http().get(`/api/cms/post/${id}`).expect(200)).body.data.created_by.name;
  const conditional = (service: TestApp, id: number) =>
    service.http().get(`/api/cms/post/${id}`).set('If-None-Match', '"1"');

  it('are the same on every instance within five seconds of a rename', async () => {
    const editor = await anEditor('Ann Young');
    const id = await create(editor.token);
    expect([await author(one, id), await author(other, id)]).toEqual(['Ann Young', 'Ann Young']);

    await rename(editor, 'Ann Old');
    const second = await create(editor.token);

    expect([await author(one, id), await author(one, second)]).toEqual(['Ann Old', 'Ann Old']);
    pass(PROMISED_MS);
    expect([await author(other, id), await author(other, second)]).toEqual(['Ann Old', 'Ann Old']);
    const { body } = await other.http().get(`/api/cms/post/${second}/revisions`).expect(200);
    expect(body.data[0].author.name).toBe('Ann Old');
  });

  it('are what they are again after they have been something else', async () => {
    const editor = await anEditor('Bea First');
    const id = await create(editor.token);
    for (const name of ['Bea Second', 'Bea First']) {
      await rename(editor, name);
      await create(editor.token);
      expect(await author(one, id)).toBe(name);
    }
    pass(PROMISED_MS);
    expect(await author(other, id)).toBe('Bea First');
  });

  it('end what a client holds of the records that show them, and of no others', async () => {
    const editor = await anEditor('Cy Young');
    const id = await create(editor.token);
    const foreign = (await one.http().post('/api/cms/post').send({ title: 'Of a token' })).body.data.id as number;
    expect([(await conditional(one, id)).status, (await conditional(other, id)).status]).toEqual([304, 304]);

    await rename(editor, 'Cy Old');
    const second = await create(editor.token);

    pass(PROMISED_MS);
    for (const service of [one, other]) {
      const { status, body } = await conditional(service, id);
      expect([status, body.data?.created_by.name]).toEqual([200, 'Cy Old']);
      expect((await conditional(service, second)).status).toBe(304);
      expect((await conditional(service, foreign)).status).toBe(304);
    }
  });

  it('cost no statement of their own while they are known', async () => {
    const editor = await anEditor('Dee Young');
    const id = await create(editor.token);
    await author(other, id);
    const source = other.app.get(DataSource);
    const statements: string[] = [];
    const log = jest.spyOn(source.logger, 'logQuery').mockImplementation((sql: string) => void statements.push(sql));

    for (let times = 0; times < 5; times += 1) await author(other, id);

    log.mockRestore();
    expect(statements.length).toBeGreaterThanOrEqual(5);
    expect(statements.filter((sql) => sql.includes('actors'))).toEqual([]);
  });
});

describe('A client that holds a version of a record', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const get = (id: number) => service.http().get(`/api/cms/post/${id}`);
  const conditional = (id: number) => get(id).set('If-None-Match', '"1"');

  /** A record that an instance has written whose clock is ahead. */
  async function writtenAhead(body: object): Promise<number> {
    const ahead = Date.now() + 60_000;
    const clock = jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(ahead);
    const answer = await service.http().post('/api/cms/post').send(body).expect(201);
    clock.mockRestore();
    return (answer.body as { data: { id: number } }).data.id;
  }

  it('is shown the new name of a term, though the record was written by a clock that is ahead', async () => {
    const id = await writtenAhead({ title: 'Ahead', terms: { tag: ['first'] } });
    expect((await conditional(id)).status).toBe(304);

    await service.http().put('/api/cms/taxonomy/tag/slug:first').send({ name: 'Renamed' }).expect(200);

    expect((await conditional(id)).body.data.terms.tag[0].name).toBe('Renamed');
  });

  it('is shown the record under its changed type, though it was written by a clock that is ahead', async () => {
    const id = await writtenAhead({ title: 'Ahead of its type' });
    expect((await conditional(id)).status).toBe(304);

    await service.http().put('/api/admin/types/post').send({ url_path: '/ahead/{id}' }).expect(200);

    expect((await conditional(id)).body.data.url).toContain(`/ahead/${id}`);
  });

  it('is shown the new name of an author within the same millisecond', async () => {
    const person = await aPerson(service, { name: 'Eve Young', role: 'editor' });
    const { token } = await signedIn(service, person);
    jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(Date.now() + 120_000);
    const create = () => service.http(token).post('/api/cms/post').send({ title: 'At once' }).expect(201);
    const { id } = (await create()).body.data as { id: number };
    expect((await conditional(id)).status).toBe(304);

    await service.http().put(`/api/users/${person.id}`).send({ name: 'Eve Old' }).expect(200);
    await create();

    expect((await conditional(id)).body.data.created_by.name).toBe('Eve Old');
  });
});
