import { RevisionListener } from '../../src/revisions/revision-listener.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Long enough to be packed before the unit of work. */
const textOf = (seed: number): string =>
  Array.from({ length: 15_000 }, (_, n) => Math.imul(n + 1, seed * 2_654_435_761).toString(36)).join(' ');

describe('The history of a long record', () => {
  let service: TestApp;
  let historian: Historian;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    historian = new Historian(service);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  /** How many snapshots were made into JSON: one before the unit of work, and one more within it if that does not fit. */
  async function madeIn(work: () => Promise<unknown>): Promise<number> {
    const made = jest.spyOn(JSON, 'stringify');
    await work();
    const snapshots = made.mock.results.filter(({ value }) => /^{"title":"[^"]*","slug":"/.test(String(value)));
    made.mockRestore();
    return snapshots.length;
  }

  /** Rolls back to each revision, and reads the body that was brought back. */
  async function bodiesOf(id: number, times: readonly number[]): Promise<unknown[]> {
    const bodies: unknown[] = [];
    for (const ts of times) {
      const { body } = await historian.post(`${id}/rollback/${ts}`).expect(200);
      bodies.push(body.data.body);
    }
    return bodies;
  }

  it('is packed before the unit of work, whatever is written', async () => {
    let id = 0;
    const remove = () => service.http().delete(`/api/cms/post/${id}`);

    expect(await madeIn(async () => (id = await historian.create({ title: 'Long', body: textOf(1) })))).toBe(1);
    expect(await madeIn(() => historian.update(id, { title: 'Another title' }))).toBe(1);
    expect(await madeIn(() => historian.update(id, { body: textOf(2) }))).toBe(1);
    expect(await madeIn(() => historian.update(id, { body: `${textOf(2)} and more` }))).toBe(1);
    await remove().expect(204);
    expect(await madeIn(() => historian.post(`${id}/restore`).expect(200))).toBe(1);

    const bodies = await bodiesOf(id, (await historian.times(id)).slice(0, 4));
    expect(bodies).toEqual([textOf(1), textOf(1), textOf(2), `${textOf(2)} and more`]);
  });

  it('is packed within the unit where terms are made or the slug gives way', async () => {
    const body = textOf(3);
    let id = 0;

    expect(await madeIn(async () => (id = await historian.create({ title: 'Same', body })))).toBe(1);
    expect(await madeIn(async () => (id = await historian.create({ title: 'Same', body })))).toBe(2);
    expect(await madeIn(() => historian.update(id, { terms: { tag: ['Brand new'] } }))).toBe(2);
    expect(await madeIn(() => historian.update(id, { title: 'With a tag' }))).toBe(1);

    const [first = 0] = await historian.times(id);
    const { body: back } = await historian.post(`${id}/rollback/${first}`).expect(200);
    expect(back.data).toMatchObject({ title: 'Same', slug: 'same-2', body });
  });

  it('leaves short records alone', async () => {
    const prepare = jest.spyOn(service.app.get(RevisionListener, { strict: false }), 'prepare');

    const id = await historian.create({ title: 'Short', body: 'A few words' });
    await historian.update(id, { title: 'Still short' });

    expect(prepare).not.toHaveBeenCalled();
  });
});
