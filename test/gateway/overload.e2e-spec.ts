import { once } from 'node:events';
import { get, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stopMonotonicClock } from '../support/clock.js';
import { expectError } from '../support/errors.js';
import { API_TOKENS, startTestApp, type TestApp } from '../support/test-app.js';
import { waitFor } from '../support/mailbox.js';

/** Four callers may have one request under way each. */
const CALLERS = ['one', 'two', 'three', 'four'].map((name) => `test-${name}-token-0123456789`);
const MOST = CALLERS.length;

describe('MAX_REQUESTS', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({
      API_TOKENS: `${API_TOKENS},${CALLERS.map((token, n) => `caller${n}=${token}`).join(',')}`,
      MAX_REQUESTS: String(MOST),
      CORS_ORIGINS: 'https://a.example',
      TRUST_PROXY: '127.0.0.0/8',
    });
  });

  afterAll(() => service.close());

  const port = () => (service.app.getHttpServer().address() as AddressInfo).port;

  /** Sends a request that is under way until its body is sent. The place of an answered request is free a moment after its answer. */
  function unfinished(token: string): Promise<ClientRequest> {
    return waitFor(async () => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': 13,
        expect: '100-continue',
      };
      const request = httpRequest({ port: port(), host: '127.0.0.1', path: '/api/cms/post', method: 'POST', headers });
      request.on('error', () => undefined);
      // The body is asked for when the guards have let the request pass.
      const letIn = once(request, 'continue').then(() => true);
      const refused = once(request, 'response').then(() => false);
      request.flushHeaders();
      if (await Promise.race([letIn, refused])) return request;
      request.destroy();
      return null;
    }, 'room');
  }

  /** Waits until a reader is let in. */
  const room = (token?: string) =>
    waitFor(async () => ((await service.http(token).get('/api/cms/post')).status === 200 ? true : null), 'room');

  async function answered(request: ClientRequest): Promise<number | undefined> {
    request.end('{"title":"x"}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.statusCode;
  }

  it('refuses what is above it, before the guard and before the body, and lets in again what there is room for', async () => {
    const underWay = await Promise.all(CALLERS.map(unfinished));

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
    expect(await Promise.all(underWay.map(answered))).toEqual([201, 201, 201, 201]);
    await room();
  });

  it('counts a request until its client is gone', async () => {
    const underWay = await Promise.all(CALLERS.map(unfinished));
    expectError(await service.http().get('/api/cms/post'), 'overloaded');

    for (const request of underWay) request.destroy();

    await room();
  });

  it('leaves three quarters to others: a caller has one place of four, and so has an address without a credential', async () => {
    const [own = '', other = ''] = CALLERS;
    const underWay = await unfinished(own);
    const from = (address: string) => service.anonymous().get('/robots.txt').set('X-Forwarded-For', address);

    const second = await service.http(own).get('/api/cms/post');

    expectError(second, 'overloaded');
    expect(second.body.message).toMatch(/^You have more requests under way/);
    await service.http(other).get('/api/cms/post').expect(200);
    await from('192.0.2.1').expect(200);
    expect(await answered(underWay)).toBe(201);
    await room(own);
  });

  it('is not ready once every request was refused for five seconds, and ready when there is room', async () => {
    const underWay = await Promise.all(CALLERS.map(unfinished));
    const pass = stopMonotonicClock();
    const ready = () => service.anonymous().get('/health/ready');
    expectError(await service.http().get('/api/cms/post'), 'overloaded');
    const before = await ready();
    pass(5_001);
    expectError(await service.http().get('/api/cms/post'), 'overloaded');

    const shut = await ready();
    jest.restoreAllMocks();
    expect(await Promise.all(underWay.map(answered))).toEqual([201, 201, 201, 201]);

    expect(before.status).toBe(200);
    expectError(shut, 'not_ready');
    expect(shut.body.message).toBe('The service has refused every request for some seconds.');
    await room();
    await ready().expect(200);
  });

  it('spreads those who come again over three seconds', async () => {
    const underWay = await Promise.all(CALLERS.map(unfinished));
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
