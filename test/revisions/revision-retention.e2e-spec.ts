import { Reads } from '../../src/database/statements/reads.js';
import { RetentionJobs } from '../../src/revisions/retention/retention-jobs.js';
import { RetentionService } from '../../src/revisions/retention/retention.service.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const KEEP = 30;
/** Long enough that a small change of it is not packed as a text of its own. */
const BODY = `A text that stays: ${Array.from({ length: 300 }, (_, n) => ((n + 1) * 7_919) % 10_007).join(' ')}`;

describe('The retention of revisions', () => {
  let service: TestApp;
  let historian: Historian;
  let workOff: () => Promise<void>;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    const jobs = service.app.get(RetentionJobs, { strict: false });
    workOff = jobs.dropNoted.bind(jobs);
    // The timer would do a part of it while histories grow.
    jobs.dropNoted = () => Promise.resolve();
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
  const shorten = (ids: readonly number[]) => service.app.get(RetentionService, { strict: false }).shorten(ids);

  /** Every revision that is listed can be read, and is what it was. */
  async function requireReadable(id: number): Promise<void> {
    for (const { ts, version } of await historian.history(id)) {
      const { body } = await historian.get(`${id}/revisions/${ts}`).expect(200);
      expect(body.data.snapshot).toMatchObject({ title: `v${version}`, body: expect.stringContaining('stays') });
    }
  }

  it('drops what is beyond the limit of the type, but not the last published state nor what others lean on', async () => {
    const id = await written(75);

    await shorten([id]);

    const left = await versions(id);
    // Version 41 is the keyframe of 46 to 60, and version 1 that of the published one.
    expect(left).toEqual([1, 3, 41, ...Array.from({ length: KEEP }, (_, n) => 46 + n)]);
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
    expect(await versions(one)).toHaveLength(KEEP + 3);
    expect(await versions(other)).toHaveLength(25);

    await service
      .http()
      .put('/api/admin/types/note')
      .send({ revisions: { keep: 5 } })
      .expect(200);
    await workOff();
    for (const id of [one, other]) {
      expect((await versions(id)).length).toBeLessThanOrEqual(5 + 3);
      await requireReadable(id);
    }
  });

  it('leaves no revision without its record or its keyframe', async () => {
    const leftOver = await service.app.get(Reads).select(
      `SELECT v.record_id FROM revisions v
         LEFT JOIN revisions k ON k.record_id = v.record_id AND k.ts = v.base_ts
         LEFT JOIN records r ON r.id = v.record_id
        WHERE r.id IS NULL OR (v.base_ts IS NOT NULL AND k.ts IS NULL)`,
    );

    expect(leftOver).toEqual([]);
  });

  it('is tried again when the connection was lost', async () => {
    const id = await written(KEEP + 16);
    const retention = service.app.get(RetentionService, { strict: false });
    const lost = jest.spyOn(retention, 'shorten').mockRejectedValueOnce(new Error('The connection is lost.'));

    await expect(workOff()).rejects.toThrow('The connection is lost.');
    await workOff();

    lost.mockRestore();
    expect((await versions(id)).length).toBeLessThan(KEEP + 16);
  });
});
