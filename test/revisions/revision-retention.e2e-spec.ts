import { Reads } from '../../src/database/statements/reads.js';
import { Retention } from '../../src/revisions/retention.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const KEEP = 30;
const BODY = `A text that stays: ${Array.from({ length: 300 }, (_, n) => ((n + 1) * 7_919) % 10_007).join(' ')}`;

describe('The retention of revisions', () => {
  let service: TestApp;
  let historian: Historian;
  let retention: Retention;
  let workOff: () => Promise<void>;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    retention = service.app.get(Retention, { strict: false });
    workOff = retention.dropOld.bind(retention);
    // The timer would do a part of it while histories grow.
    retention.dropOld = () => Promise.resolve();
    historian = new Historian(service, 'note');
    await service
      .http()
      .post('/api/admin/types')
      .send({ name: 'note', revisions: { keep: KEEP } })
      .expect(201);
  });
  afterAll(() => service.close());

  /** A record with so many versions, the third of which was published. */
  async function written(versions: number): Promise<number> {
    const id = await historian.create({ title: 'v1', body: BODY });
    for (let version = 2; version <= versions; version += 1) {
      const status = version === 3 ? 'published' : 'draft';
      await historian.update(id, { title: `v${version}`, status });
    }
    return id;
  }

  const versions = async (id: number) => (await historian.history(id)).map(({ version }) => version).reverse();
  const shorten = (ids: readonly number[]) => retention.shorten(ids);

  /** Every revision that is listed can be read, and is what it was. */
  async function requireReadable(id: number): Promise<void> {
    for (const { ts, version } of await historian.history(id)) {
      const { body } = await historian.get(`${id}/revisions/${ts}`).expect(200);
      expect(body.data.snapshot).toMatchObject({ title: `v${version}`, body: expect.stringContaining('stays') });
    }
  }

  it('drops what is beyond the limit of the type, but not the last published state', async () => {
    const id = await written(75);

    await shorten([id]);

    const left = await versions(id);
    expect(left).toEqual([3, ...Array.from({ length: KEEP }, (_, n) => 46 + n)]);
    await requireReadable(id);
    await historian.update(id, { title: 'v76' });
    expect((await versions(id)).at(-1)).toBe(76);
  });

  it('leaves alone what is within the limit', async () => {
    const id = await written(KEEP);

    expect(await shorten([id])).toBe(0);
    expect(await versions(id)).toHaveLength(KEEP);
  });

  it('is done by several processes at once, beside writers', async () => {
    const id = await written(60);

    await Promise.all([
      shorten([id]),
      shorten([id]),
      ...Array.from({ length: 20 }, (_, n) => historian.update(id, { body: `${BODY} ${n}` })),
      shorten([id]),
    ]);

    const history = await historian.history(id);
    expect(history[0]?.version).toBe(80);
    for (const { ts } of history) await historian.get(`${id}/revisions/${ts}`).expect(200);
  });

  it('comes by itself when a history has grown, and for every record when a type keeps fewer', async () => {
    const [one, other] = [await written(55), await written(25)];

    await workOff();
    expect(await versions(one)).toHaveLength(KEEP + 1);
    expect(await versions(other)).toHaveLength(25);

    await service
      .http()
      .put('/api/admin/types/note')
      .send({ revisions: { keep: 5 } })
      .expect(200);
    await workOff();
    for (const id of [one, other]) {
      expect(await versions(id)).toHaveLength(5 + 1);
      await requireReadable(id);
    }
  });

  it('leaves no revision without its record', async () => {
    const leftOver = await service.app.get(Reads).select(
      `SELECT v.record_id FROM revisions v
         LEFT JOIN records r ON r.id = v.record_id
        WHERE r.id IS NULL`,
    );

    expect(leftOver).toEqual([]);
  });

  it('comes with the look at all records for what a lost connection has left', async () => {
    const id = await written(20);
    const lost = jest.spyOn(retention, 'shorten').mockRejectedValueOnce(new Error('The connection is lost.'));

    await expect(workOff()).rejects.toThrow('The connection is lost.');
    await workOff();
    expect(await versions(id)).toHaveLength(20);
    retention.noteAll();
    await workOff();

    lost.mockRestore();
    expect(await versions(id)).toHaveLength(5 + 1);
  });
});
