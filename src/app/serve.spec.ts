import type { INestApplication } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { pino, type Logger } from 'pino';
import { readSettings } from '../config/settings.js';
import { stop } from './serve.js';

describe('A stop', () => {
  afterEach(() => jest.useRealTimers());

  /** A server with a client that never finishes its request, as far as a stop knows it. */
  async function busy(drainDelaySeconds = 0) {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    await once(server, 'connection');
    client.write('GET / HTTP/1.1\r\n');
    const close = async (): Promise<void> => {
      server.close();
      await once(server, 'close');
    };
    const app = {
      getHttpServer: () => server,
      get: () => ({ drain: () => undefined }),
      close,
    } as unknown as INestApplication<Server>;
    const log: Logger = pino({ enabled: false });
    const settings = Object.assign(readSettings('test', {}), { drainDelaySeconds });
    return { app, log, settings, client, server };
  }

  it('waits eight seconds for answers, then ends their connections and says how many they were', async () => {
    const { app, log, settings, client } = await busy();
    const warn = jest.spyOn(log, 'warn');
    const closed = once(client, 'close');
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });

    const stopped = stop({ app, log, settings });
    await jest.advanceTimersByTimeAsync(7_999);
    expect(client.destroyed).toBe(false);
    expect(warn).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    await Promise.all([stopped, closed]);

    expect(warn.mock.calls).toEqual([[{ connections: 1 }, expect.stringContaining('the stop waits no longer')]]);
  });

  it('goes on listening for DRAIN_DELAY_S, and only then counts the eight seconds', async () => {
    const { app, log, settings, client, server } = await busy(5);
    const closed = once(client, 'close');
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });

    const stopped = stop({ app, log, settings });
    await jest.advanceTimersByTimeAsync(4_999);
    expect([server.listening, client.destroyed]).toEqual([true, false]);
    await jest.advanceTimersByTimeAsync(1);
    await jest.advanceTimersByTimeAsync(7_999);
    expect(client.destroyed).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await Promise.all([stopped, closed]);

    expect(server.listening).toBe(false);
  });
});
