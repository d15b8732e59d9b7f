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
  async function stuck(): Promise<{ response: IncomingMessage }> {
    const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const response = await ask();
    const [, sent] = await asked;
    while (!sent.writableNeedDrain) await turns(1);
    return { response };
  }

  it('arrives whole', async () => {
    let length = 0;

    for await (const piece of await ask()) length += (piece as Buffer).length;

    expect(length).toBe(PIECES * PIECE.length);
    expect(lines).toEqual([]);
  });

  it('has its source closed when the reader goes away, which is no failure', async () => {
    const { response } = await stuck();

    response.destroy();

    while (!isClosed) await turns(1);
    expect(lines).toEqual([]);
  });
});
