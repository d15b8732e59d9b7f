import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const READERS = 60;
const PATH = '/api/cms/post?per_page=100';

describe('Readers of long lists who take nothing', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
    for (let n = 0; n < 8; n += 1) {
      const body = { title: `Long ${n}`, body: 'x'.repeat(900_000), status: 'published' };
      await service.http().post('/api/cms/post').send(body).expect(201);
    }
  }, 120_000);

  afterAll(() => service.close());

  const ask = async (token: string): Promise<IncomingMessage> => {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const headers = { authorization: `Bearer ${token}` };
    const request = get({ port, host: '127.0.0.1', path: PATH, headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  };

  it('keep long lists from themselves, and from no other caller', async () => {
    const slow = Array.from({ length: READERS }, () => ask(TOKENS.reader));
    const first = await Promise.race(slow);

    const list = await service.http(TOKENS.editor).get(PATH);

    expect([list.status, list.body.data.length]).toEqual([200, 4]);
    const all = await Promise.all(slow);
    const statuses = new Set(all.map(({ statusCode }) => statusCode));
    expect([first.statusCode, statuses]).toEqual([200, new Set([200, 503])]);
    const refused = all.find(({ statusCode }) => statusCode === 503);
    expect([refused?.headers['retry-after'], refused?.headers.etag]).toEqual(['1', undefined]);
    for (const response of all) response.destroy();
  }, 60_000);
});
