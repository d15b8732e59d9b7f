import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { askProvider } from './provider-http.js';

describe('A provider that does not answer', () => {
  let server: Server;
  let answer: (response: ServerResponse) => void;
  let url: string;

  beforeEach(async () => {
    server = createServer((_, response) => {
      answer(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
  });

  afterEach(async () => {
    jest.useRealTimers();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['sends nothing', () => undefined],
    [
      'sends headers alone',
      (response) => {
        response.writeHead(200).flushHeaders();
      },
    ],
    ['ends in the middle of a body', (response) => response.writeHead(200).write('{"a":')],
  ])('within five seconds is given up, and not before: it %s', async (_, misbehaves) => {
    const asked = new Promise<ServerResponse>((resolve) => {
      answer = (response) => {
        misbehaves(response);
        resolve(response);
      };
    });
    const outcome: unknown[] = [];
    const done = askProvider(url).catch((error: unknown) => outcome.push(error));
    const response = await asked;
    const closed = once(response, 'close');

    await jest.advanceTimersByTimeAsync(4_999);
    await turn();
    expect(outcome).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await done;

    expect(outcome).toMatchObject([{ error: 'provider_unavailable' }]);
    await closed;
  });
});
