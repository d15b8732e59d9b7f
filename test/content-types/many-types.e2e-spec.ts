import { ContentTypesService } from '../../src/content-types/store/content-types.service.js';
import { Dialect } from '../../src/database/dialect/dialect.js';
import { Reads } from '../../src/database/statements/reads.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const COUNT = 21;

describe('More content types than are read at once', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
    for (let n = 0; n < COUNT; n += 1) {
      const fields = [`b_${n}`, `a_${n}`].map((name) => ({ name, type: 'string' }));
      await service
        .http()
        .post('/api/admin/types')
        .send({ name: `kind-${n}`, fields })
        .expect(201);
    }
  });

  afterAll(() => service.close());

  it('are all there in a process that has just started, each with its own fields in order', async () => {
    const started = new ContentTypesService(service.app.get(Reads), service.app.get(Dialect));

    const types = (await started.all()).filter(({ name }) => name.startsWith('kind-'));

    expect(types).toHaveLength(COUNT);
    for (const { name, fields } of types) {
      const n = name.slice('kind-'.length);
      expect(fields.map((field) => field.name)).toEqual([`b_${n}`, `a_${n}`]);
    }
  });
});
