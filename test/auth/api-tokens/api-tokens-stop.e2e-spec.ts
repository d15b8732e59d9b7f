import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { startTestApp } from '../../support/test-app.js';

describe('A service that stops', () => {
  it('writes the last uses that it still holds', async () => {
    const service = await startTestApp();
    const { data } = (
      await service
        .http()
        .post('/api/admin/tokens')
        .send({ name: 'ci', scopes: ['tokens:write'], expires_at: 'never' })
    ).body;
    await service.http(data.token).get('/api/admin/tokens').expect(200);
    const writes = jest.spyOn(service.app.get(UnitOfWork), 'run');

    await service.close();

    expect(writes).toHaveBeenCalledTimes(1);
  });
});
