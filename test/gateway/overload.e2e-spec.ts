import { once } from 'node:events';
import { get, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectError } from '../support/errors.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';
import { waitFor } from '../support/mailbox.js';

const MOST = 3;

describe('MAX_REQUESTS', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ MAX_REQUESTS: String(MOST), CORS_ORIGINS: 'https://a.example' });
  });

  afterAll(() => service.close());

  const port = () => (service.app.getHttpServer().address() as AddressInfo).port;

  /** A request that is under way until its body is sent. */
  async function unfinished(): Promise<ClientRequest> {
    const headers = {
      authorization: `Bearer ${TOKENS.admin}`,
      'content-type': 'application/json',
      'content-length': 13,
      expect: '100-continue',
    };
    const request = httpRequest({ port: port(), host: '127.0.0.1', path: '/api/cms/post', method: 'POST', headers });
    request.on('error', () => undefined);
    // The body is asked for when the guards have let the request pass.
    const asked = once(request, 'continue');
    request.flushHeaders();
    await asked;
    return request;
  }

  async function answered(request: ClientRequest): Promise<number | undefined> {
    request.end('{"title":"x"}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.statusCode;
  }

  it('refuses what is above it, before the guard and before the body, and lets in again what there is room for', async () => {
    const underWay = await Promise.all(Array.from({ length: MOST }, unfinished));

    const refused = await service.anonymous().get('/api/cms/post').set('Origin', 'https://a.example');
    const unread = await service
      .http('no-such-token')
      .post('/api/cms/post')
      .set('Content-Type', 'text/plain')
      .send('x');

    for (const answer of [refused, unread]) {
      expectError(answer, 'overloaded');
      expect(answer.headers['retry-after']).toMatch(/^[123]$/);
    }
    expect(refused.headers['access-control-allow-origin']).toBe('https://a.example');
    await service.anonymous().get('/health/live').expect(200);
    await service.anonymous().get('/health/ready').expect(200);
    expect(await Promise.all(underWay.map(answered))).toEqual([201, 201, 201]);
    await service.http().get('/api/cms/post').expect(200);
  });

  it('counts a request until its client is gone', async () => {
    const underWay = await Promise.all(Array.from({ length: MOST }, unfinished));
    expectError(await service.http().get('/api/cms/post'), 'overloaded');

    for (const request of underWay) request.destroy();

    await waitFor(async () => ((await service.http().get('/api/cms/post')).status === 200 ? true : null), 'room');
  });

  it('spreads those who come again over three seconds', async () => {
    const underWay = await Promise.all(Array.from({ length: MOST }, unfinished));
    const seconds = new Set<unknown>();

    for (let n = 0; n < 60; n += 1) {
      const [response] = (await once(get({ port: port(), host: '127.0.0.1', path: '/' }), 'response')) as [
        IncomingMessage,
      ];
      seconds.add(response.resume().headers['retry-after']);
    }

    expect([...seconds].toSorted()).toEqual(['1', '2', '3']);
    await Promise.all(underWay.map(answered));
  });
});
