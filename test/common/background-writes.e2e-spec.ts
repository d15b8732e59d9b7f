import { LastUse } from '../../src/auth/tokens/api/verified-tokens.js';
import { overloaded } from '../../src/common/errors/overloaded.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { RecordsService } from '../../src/records/records.service.js';
import { expectError } from '../support/errors.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('A request that fails while something else is written that began with it', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  it('is answered as one that may be sent again: the last use of its token is no write of its own', async () => {
    const asked = { name: 'ci', scopes: ['records:create'] };
    const { body } = await service.http().post('/api/admin/tokens').send(asked).expect(201);
    const lastUse = service.app.get(LastUse);
    const written = new Promise<void>((resolve) => {
      const write = lastUse.write.bind(lastUse);
      jest.spyOn(lastUse, 'write').mockImplementation(async () => {
        await write();
        resolve();
      });
    });
    const units = jest.spyOn(service.app.get(UnitOfWork), 'run');
    jest.spyOn(service.app.get(RecordsService), 'create').mockImplementation(async () => {
      await written;
      throw overloaded('Too much is under way.');
    });

    const answer = await service.http(body.data.token).post('/api/cms/post').send({ title: 'x' });

    expect(units).toHaveBeenCalled();
    expectError(answer, 'overloaded');
  });
});
