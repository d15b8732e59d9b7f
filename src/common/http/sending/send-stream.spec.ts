import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { sendStream } from './send-stream.js';

const PIECE = 'x'.repeat(100_000);
const PIECES = 200;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('A stream that is sent', () => {
  let server: Server;
  let lines: string[];
  let isClosed: boolean;

  function* pieces(): Generator<string> {
    try {
      for (let n = 0; n < PIECES; n += 1) yield PIECE;
    } finally {
      isClosed = true;
    }
  }

  beforeEach(async () => {
    lines = [];
    isClosed = false;
    const log = pino({}, { write: (line: string) => lines.push(line) });
    server = createServer((_, response) => {
      void sendStream([Readable.from(pieces())], response, { log, failure: 'it broke off' });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    jest.useRealTimers();
    server.closeAllConnections();
    server.close();
  });

  const ask = (): Promise<IncomingMessage> => {
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      get({ port, host: '127.0.0.1' }, resolve).once('error', reject);
    });
  };

  /** A reader who takes nothing more, and the answer as the service has it. */
  async function stuck(): Promise<{ response: IncomingMessage; sent: ServerResponse }> {
    const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const response = await ask();
    const [, sent] = await asked;
    while (!sent.writableNeedDrain) await turns(1);
    return { response, sent };
  }

  it('arrives whole', async () => {
    let length = 0;

    for await (const piece of await ask()) length += (piece as Buffer).length;

    expect(length).toBe(PIECES * PIECE.length);
    expect(lines).toEqual([]);
  });

  it('is not kept for a reader who takes too little of it: the connection is cut, and its source closed', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
    const { response, sent } = await stuck();

    jest.advanceTimersByTime(9_000);
    expect(sent.destroyed).toBe(false);
    jest.advanceTimersByTime(600_000);
    expect(sent.destroyed).toBe(true);

    while (!isClosed) await turns(1);
    expect(lines).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
    response.destroy();
  });

  it('waits for a reader who takes some of it now and then', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
    const { response, sent } = await stuck();

    for (let pause = 0; pause < 5; pause += 1) {
      jest.advanceTimersByTime(9_000);
      const isDrained = once(sent, 'drain');
      response.resume();
      await isDrained;
      response.pause();
      while (!sent.writableNeedDrain && !sent.writableEnded) await turns(1);
      // Until it is paused, a quick reader takes all that is left.
      if (sent.writableEnded) break;
    }

    expect(sent.destroyed && !sent.writableFinished).toBe(false);
    response.destroy();
  });
});
