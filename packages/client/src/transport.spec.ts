import { FakeService, json } from '../test/fake-service.js';
import { createClient } from './client.js';

describe('A request with an idempotency key', () => {
  const CREATE = 'POST /api/cms/post';
  const lost = (): Promise<never> => Promise.reject(new TypeError('fetch failed'));
  const gateway = (status: number) => (): Response => new Response('<h1>Bad gateway</h1>', { status });
  const cut = (): Response =>
    new Response(
      new ReadableStream({
        start: (body) => {
          body.error(new TypeError('terminated'));
        },
      }),
      { status: 201 },
    );
  const body = { title: 'Hello' };

  /** A service that gives these answers one after the other, and then the record. */
  function serviceOf(...answers: (() => Response | Promise<Response>)[]): FakeService {
    const service = new FakeService();
    service.answer(CREATE, () => (answers.shift() ?? (() => json({ data: { id: 7 } }, 201)))());
    return service;
  }
  const create = (service: FakeService, idempotencyKey?: string, signal?: AbortSignal, pauses = [0, 0]) =>
    createClient({ url: 'https://cms.example.com', fetch: service.fetch, pauses }).open('POST', '/api/cms/post', {
      body,
      idempotencyKey,
      signal,
    });

  it.each([
    ['no answer', [lost]],
    ['an answer that breaks off', [cut]],
    ['gateways without the service', [gateway(502), gateway(504)]],
    ['a service with too much to do', [() => json({ error: 'overloaded', message: 'Wait.' }, 503)]],
  ])('is sent again with it after %s', async (_, answers) => {
    const service = serviceOf(...answers);

    expect(await create(service, 'k-1')).toEqual({ data: { id: 7 } });
    expect(service.asked).toHaveLength(answers.length + 1);
    expect(new Set(service.asked.map(({ key }) => key))).toEqual(new Set(['k-1']));
    expect(service.asked.every((one) => JSON.stringify(one.body) === JSON.stringify(body))).toBe(true);
  });

  it('fails as the last try did', async () => {
    const service = serviceOf(lost, lost, gateway(502), lost);

    await expect(create(service, 'k-1')).rejects.toMatchObject({ status: 502 });
    expect(service.asked).toHaveLength(3);
  });

  it('is not sent again when it is refused, nor ever without a key', async () => {
    const refusing = serviceOf(() => json({ error: 'slug_taken', message: 'Taken.' }, 409));
    const silent = serviceOf(lost);

    await expect(create(refusing, 'k-1')).rejects.toMatchObject({ code: 'slug_taken' });
    await expect(create(silent)).rejects.toMatchObject({ code: 'unreachable' });
    expect([refusing.asked.length, silent.asked.length, silent.asked[0]?.key]).toEqual([1, 1, null]);
  });

  it('waits no longer for its next try than its signal lets it', async () => {
    const controller = new AbortController();
    const service = serviceOf(() => {
      setTimeout(() => {
        controller.abort(new Error('left'));
      }, 0);
      return lost();
    });

    await expect(create(service, 'k-1', controller.signal, [60_000])).rejects.toThrow('left');
    expect(service.asked).toHaveLength(1);
  });
});
