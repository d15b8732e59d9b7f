import { dialectFor } from '../../../src/database/dialect-for.js';
import { openDataSource } from '../../../src/database/dialect/data-source.js';
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

    await service.app.close();

    const reader = await openDataSource(dialectFor(service.database.address).readerOptions());
    const [row] = await reader.query('SELECT last_used_at FROM api_tokens WHERE id = ?', [data.id]);
    expect(row.last_used_at).not.toBeNull();
    await reader.destroy();
    await service.close();
  });
});
