import { copyRequests } from '../support/copy-requests.js';
import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { typeRequests } from '../support/type-requests.js';

const LEVEL = { name: 'lvl', type: 'enum', values: ['lo', 'hi'], required: true, default: 'lo' };
const MISSING = [{ field: 'lvl', rule: 'required', message: 'lvl is required.' }];

describe('A required field with a default', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
  });
  afterAll(() => service.close());

  const { save, read } = copyRequests(() => service);
  const { aTypeWith, aRecord } = typeRequests(() => service);
  const levelled = async () => {
    const type = await aTypeWith([LEVEL]);
    return { type, records: new Historian(service, type) };
  };
  const patch = (type: string, id: number, body: object) => service.http().patch(`/api/cms/${type}/${id}`).send(body);

  it('has its default if it has no value when the record is published', async () => {
    const { type, records } = await levelled();
    const id = await aRecord(type);
    await patch(type, id, { lvl: null }).expect(200);

    const draft = (await records.get(id)).body;
    const { body } = await records.post(`${id}/publish`).expect(200);

    expect([draft.data.lvl, draft.meta]).toEqual([null, undefined]);
    expect(body.data).toMatchObject({ lvl: 'lo', status: 'published' });
  });

  it('cannot be emptied by a working copy, whatever the status of the record is', async () => {
    const { type, records } = await levelled();
    const id = await aRecord(type, { lvl: 'hi', status: 'published' });

    const { meta } = await save(`${type}/${id}`, { lvl: null });
    const refused = await records.post(`${id}/publish`);
    await records.post(`${id}/unpublish`).expect(200);
    const again = await records.post(`${id}/publish`);

    expect(meta.draft.faults).toEqual(MISSING);
    for (const answer of [refused, again]) {
      expectError(answer, 'validation_failed');
      expect(answer.body.details).toEqual(MISSING);
    }
    expectError(await patch(type, id, { status: 'published', lvl: null }), 'validation_failed');
  });

  it('takes no page offline that is older: what is written or restored has the default', async () => {
    const type = await aTypeWith([]);
    const records = new Historian(service, type);
    const [written, edited, trashed] = [
      await aRecord(type, { status: 'published' }),
      await aRecord(type, { status: 'published' }),
      await aRecord(type, { status: 'published' }),
    ];
    await service
      .http()
      .put(`/api/admin/types/${type}`)
      .send({ fields: [LEVEL] })
      .expect(200);
    await service.http().delete(`/api/cms/${type}/${trashed}`).expect(204);

    await patch(type, written, { title: 'Mended' }).expect(200);
    const { data } = await save(`${type}/${edited}`, { title: 'Mended' });
    await records.post(`${edited}/publish`).expect(200);
    const restored = await records.post(`${trashed}/restore`).expect(200);

    expect([data.lvl, restored.body.meta.restore.skipped]).toEqual(['lo', []]);
    for (const id of [written, edited, trashed]) {
      expect((await records.get(id)).body.data).toMatchObject({ lvl: 'lo', status: 'published' });
    }
    expectError(await read(`${type}/${edited}`), 'draft_not_found');
  });
});
