import fc from 'fast-check';
import { Writer } from '../../src/database/statements/writer.js';
import type { Content } from '../support/copy-model.js';
import { CopySteps } from '../support/copy-steps.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { twinOf } from '../support/twin.js';

const aValue = fc.constantFrom('a', 'b', 'c');
const someParts = fc.record(
  { title: aValue, body: fc.option(aValue), note: fc.option(aValue) },
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<Content>>;

type StepKind = Exclude<keyof CopySteps, 'expectAsModel'>;

/** Something that is done to a record and its working copy. */
interface Step {
  readonly kind: StepKind;
  readonly parts: Partial<Content>;
  /** Which of the states of the record is brought back. */
  readonly to: number;
}

const aStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...(['merge', 'merge', 'merge', 'replace', 'saveLate', 'change', 'change', 'rollBack'] as const),
    ...(['publish', 'publish', 'apply', 'unpublish', 'discard', 'rename'] as const),
  ),
  parts: someParts,
  to: fc.nat(20),
});

describe('Of what happens to a working copy', () => {
  let one: TestApp;
  let other: TestApp;
  let posts: Historian;

  beforeAll(async () => {
    one = await startTestApp({ RATE_LIMITS: 'off' });
    other = await twinOf(one);
    posts = new Historian(one);
  });
  afterAll(async () => {
    await other.close();
    await one.close();
  });

  const save = (service: TestApp, id: number, tag: string, body: object) =>
    service.http().patch(`/api/cms/post/${id}/draft`).set('If-Match', tag).send(body);
  const begin = async (id: number, body: object) => {
    const { headers } = await save(one, id, '*', body).expect(201);
    return String(headers.etag);
  };
  const copies = async (id: number): Promise<number> => {
    const rows = await one.app
      .get(Writer, { strict: false })
      .source.query('SELECT record_id FROM record_drafts WHERE record_id = ?', [id]);
    return (rows as unknown[]).length;
  };

  it.each([
    ['one process', () => one],
    ['two processes', () => other],
  ])(
    'a save and a publication of %s, nothing that was saved is lost or held back, whichever comes first',
    async (_, server) => {
      const id = await posts.create({ title: 'Start', status: 'published' });
      for (let round = 0; round < 50; round += 1) {
        const tag = await begin(id, { title: `First ${round}` });

        const [saved, published] = await Promise.all([
          save(one, id, tag, { title: `Second ${round}` }),
          server().http().post(`/api/cms/post/${id}/publish`),
        ]);

        const { title, status } = (await posts.get(id)).body.data;
        const isSavedFirst = saved.status === 200;
        expect([round, published.status, saved.status, status]).toEqual([
          round,
          200,
          isSavedFirst ? 200 : 412,
          'published',
        ]);
        expect([round, title, await copies(id)]).toEqual([round, `${isSavedFirst ? 'Second' : 'First'} ${round}`, 0]);
      }
    },
    180_000,
  );

  it('two first changes, one begins the copy and the other one is said to be late', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = await posts.create({ title: 'Start' });

      const answers = await Promise.all([
        save(one, id, '"1"', { title: 'One' }),
        save(other, id, '"1"', { title: 'Other' }),
        save(one, id, '"1"', { body: 'One more' }),
      ]);

      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 412, 412]);
      const first = answers.find(({ status }) => status === 201);
      const { body } = await one.http().get(`/api/cms/post/${id}/draft`);
      expect(body).toEqual(first?.body);
    }
  }, 60_000);

  it('saves of two editors on one version, one is kept, and the other one learns what it holds', async () => {
    const id = await posts.create({ title: 'Start' });
    for (let round = 0; round < 30; round += 1) {
      await save(one, id, '*', { title: `Round ${round}` });
      const tag = String((await one.http().get(`/api/cms/post/${id}/draft`)).headers.etag);

      const answers = await Promise.all([
        save(one, id, tag, { title: `One ${round}` }),
        save(other, id, tag, { title: `Other ${round}` }),
      ]);

      const [kept, late] = answers.toSorted((a, b) => a.status - b.status);
      expect([kept?.status, late?.status]).toEqual([200, 412]);
      expect(late?.body.details).toMatchObject([
        { version: kept?.body.meta.draft.version, fields: { title: kept?.body.data.title } },
      ]);
    }
  }, 60_000);

  it('a save and the end of the record, no copy stays behind', async () => {
    for (let round = 0; round < 30; round += 1) {
      const id = await posts.create({ title: 'Start' });

      const [saved, removed] = await Promise.all([
        save(one, id, '*', { title: 'Mine' }),
        other.http().delete(`/api/cms/post/${id}?permanent=true`),
      ]);

      expect([[201, 404].includes(saved.status), removed.status, await copies(id)]).toEqual([true, 204, 0]);
    }
  }, 60_000);

  it('two publications, the copy is folded in once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = await posts.create({ title: 'Start' });
      await begin(id, { title: 'Mine' });

      const answers = await Promise.all([one, other, one].map((app) => app.http().post(`/api/cms/post/${id}/publish`)));

      expect(answers.map(({ status, body }) => [status, body.data?.version])).toEqual(Array(3).fill([200, 2]));
      expect(await posts.history(id)).toHaveLength(2);
    }
  }, 60_000);

  it('steps in whichever order, the record and its copy are what the steps say, and a refused one leaves no trace', async () => {
    const type = { name: 'thing', fields: [{ name: 'note', type: 'string' }] };
    await one.http().post('/api/admin/types').send(type).expect(201);
    const run = async (steps: readonly Step[]): Promise<void> => {
      const record = await CopySteps.begin(one, { title: 'a', body: null, note: 'a' });
      for (const { kind, ...how } of steps) {
        await record[kind](how);
        await record.expectAsModel();
      }
    };

    await fc.assert(fc.asyncProperty(fc.array(aStep, { minLength: 3, maxLength: 14 }), run), { numRuns: 25 });
  }, 300_000);
});
