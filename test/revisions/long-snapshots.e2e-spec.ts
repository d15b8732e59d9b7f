import { PreparedSnapshots } from '../../src/revisions/history/prepared-snapshots.js';
import { Writer } from '../../src/database/statements/writer.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Long enough to be packed before the unit of work; no two of them have anything in common. */
const textOf = (seed: number): string =>
  Array.from({ length: 15_000 }, (_, n) => Math.imul(n + 1, seed * 2_654_435_761).toString(36)).join(' ');

describe('The history of a long record', () => {
  let service: TestApp;
  let historian: Historian;
  let prepared: PreparedSnapshots;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    historian = new Historian(service);
    prepared = service.app.get(PreparedSnapshots, { strict: false });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  /** How many snapshots the units of work found ready, for each unit. */
  async function readyIn(work: () => Promise<unknown>): Promise<number[]> {
    const fitting = jest.spyOn(prepared, 'fitting');
    await work();
    const found = await Promise.all(
      fitting.mock.results.map(({ value }) => value as Promise<ReadonlyMap<unknown, unknown>>),
    );
    fitting.mockRestore();
    return found.map(({ size }) => size);
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

    expect(await readyIn(async () => (id = await historian.create({ title: 'Long', body: textOf(1) })))).toEqual([1]);
    expect(await readyIn(() => historian.update(id, { title: 'Another title' }))).toEqual([1]);
    expect(await readyIn(() => historian.update(id, { body: textOf(2) }))).toEqual([1]);
    expect(await readyIn(() => historian.update(id, { body: `${textOf(2)} and more` }))).toEqual([1]);
    await remove().expect(204);
    expect(await readyIn(() => historian.post(`${id}/restore`).expect(200))).toEqual([1]);

    const bodies = await bodiesOf(id, (await historian.times(id)).slice(0, 4));
    expect(bodies).toEqual([textOf(1), textOf(1), textOf(2), `${textOf(2)} and more`]);
  });

  it('is packed within the unit where terms are made or the slug gives way', async () => {
    const body = textOf(3);
    let id = 0;

    expect(await readyIn(async () => (id = await historian.create({ title: 'Same', body })))).toEqual([1]);
    expect(await readyIn(async () => (id = await historian.create({ title: 'Same', body })))).toEqual([0]);
    expect(await readyIn(() => historian.update(id, { terms: { tag: ['Brand new'] } }))).toEqual([0]);
    expect(await readyIn(() => historian.update(id, { title: 'With a tag' }))).toEqual([1]);

    const [first = 0] = await historian.times(id);
    const { body: back } = await historian.post(`${id}/rollback/${first}`).expect(200);
    expect(back.data).toMatchObject({ title: 'Same', slug: 'same-2', body });
  });

  it('is packed anew where the keyframe has changed meanwhile', async () => {
    const id = await historian.create({ title: 'Race', body: textOf(4) });
    const prepare = prepared.prepare.bind(prepared);
    let isFirst = true;
    jest.spyOn(prepared, 'prepare').mockImplementation(async (coming) => {
      await prepare(coming);
      if (!isFirst) return;
      isFirst = false;
      const { source } = service.app.get(Writer, { strict: false });
      await source.query('UPDATE revisions SET ts = ts - 1 WHERE record_id = ?', [id]);
    });

    expect(await readyIn(() => historian.update(id, { title: 'Race won' }))).toEqual([0]);

    const times = await historian.times(id);
    expect(times).toHaveLength(2);
    expect(await bodiesOf(id, times)).toEqual([textOf(4), textOf(4)]);
  });

  it('leaves short records alone', async () => {
    const prepare = jest.spyOn(prepared, 'prepare');

    const id = await historian.create({ title: 'Short', body: 'A few words' });
    await historian.update(id, { title: 'Still short' });

    expect(prepare).not.toHaveBeenCalled();
  });
});
