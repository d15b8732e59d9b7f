import { startTestApp, type TestApp } from '../support/test-app.js';
import { faultsOf, typeRequests } from '../support/type-requests.js';

describe('A value that a later rule does not allow', () => {
  let service: TestApp;
  let type: string;
  let id: number;
  const { aTypeWith, aRecord } = typeRequests(() => service);
  const patch = (body: object) => service.http().patch(`/api/cms/${type}/${id}`).send(body);

  beforeAll(async () => {
    service = await startTestApp();
  });

  beforeEach(async () => {
    type = await aTypeWith([
      { name: 'colour', type: 'enum', values: ['red', 'blue'] },
      { name: 'size', type: 'integer' },
      { name: 'sizes', type: 'list', of: 'integer' },
    ]);
    id = await aRecord(type, { colour: 'blue', size: 12, sizes: [1, 12] });
    const { fields } = (await service.http().get(`/api/admin/types/${type}`)).body.data;
    const [colour, size, sizes] = fields as readonly object[];
    const narrower = [
      { ...colour, values: ['red'] },
      { ...size, max: 10 },
      { ...sizes, max: 10 },
    ];
    await service.http().put(`/api/admin/types/${type}?confirm=${type}`).send({ fields: narrower }).expect(200);
  });

  afterAll(() => service.close());

  it('may be sent back as it is, and not be changed to another that breaks the rule', async () => {
    const whole = { title: 'Mended', colour: 'blue', size: 12, sizes: [1, 12] };

    expect((await patch(whole).expect(200)).body.data).toMatchObject(whole);
    const other = await patch({ colour: 'green', size: 13, sizes: [1, 13] }).expect(422);
    expect(faultsOf(other)).toEqual(['colour: enum', 'size: max', 'sizes.1: max']);
  });

  it('keeps its record from becoming public', async () => {
    const refused = await patch({ status: 'published' }).expect(422);
    const mended = await patch({ status: 'published', colour: 'red', size: 10, sizes: [] });

    expect(faultsOf(refused)).toEqual(['colour: enum', 'size: max', 'sizes.1: max']);
    expect([mended.status, mended.body.data.status]).toEqual([200, 'published']);
  });

  it('stays in a public record, whose other parts can be changed', async () => {
    await patch({ status: 'published', colour: 'red', size: 10, sizes: [1] }).expect(200);
    const { fields } = (await service.http().get(`/api/admin/types/${type}`)).body.data;
    const narrower = (fields as { name: string }[]).map((field) =>
      field.name === 'size' ? { ...field, max: 9 } : field,
    );
    await service.http().put(`/api/admin/types/${type}?confirm=${type}`).send({ fields: narrower }).expect(200);

    await patch({ title: 'Mended', size: 10 }).expect(200);
  });

  it('is among those that the API description allows in answers, and not in bodies', async () => {
    const { body } = await service.http().get('/api/openapi.json');
    const schemas = Object.values(body.components.schemas as Record<string, { properties?: Record<string, object> }>);
    const own = schemas.filter(({ properties }) => properties?.sizes !== undefined);
    const read =
      own.find(({ properties }) => JSON.stringify(properties?.type) === JSON.stringify({ type: 'string', const: type }))
        ?.properties ?? {};
    const { $ref } = body.paths[`/api/cms/${type}`].post.requestBody.content['application/json'].schema;
    const sent = body.components.schemas[$ref.split('/').at(-1)].properties;

    expect(read).toMatchObject({
      colour: { enum: ['red', 'blue', null] },
      size: { type: ['integer', 'null'] },
      slug: { type: 'string' },
    });
    expect(read.size).not.toHaveProperty('maximum');
    expect(sent).toMatchObject({ colour: { enum: ['red', null] }, size: { maximum: 10 } });
  });
});
