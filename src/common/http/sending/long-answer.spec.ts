import express from 'express';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { AnswerSender } from './answer-sender.js';
import { LongAnswer, type Parts } from './long-answer.js';

const PART = 'é'.repeat(300_000);
const log = pino({ level: 'silent' });

const partsOf = (count: number, note: () => void = () => undefined): Parts =>
  function* () {
    for (let n = 0; n < count; n += 1) {
      note();
      yield PART;
    }
  };

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('A long answer', () => {
  let server: Server;
  let answer: LongAnswer;

  beforeAll(async () => {
    const app = express().use(
      (_request, response) => void answer.send(response, new AnswerSender({ isPacking: false }), log),
    );
    server = createServer(app as never).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const ask = (headers: Record<string, string> = {}, method = 'GET'): Promise<IncomingMessage> => {
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      get({ port, host: '127.0.0.1', headers, method }, resolve).once('error', reject);
    });
  };

  const bytesOf = async (response: IncomingMessage): Promise<Buffer> => {
    const pieces: Buffer[] = [];
    for await (const piece of response) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  };

  it.each([0, 1, 2, 12])('of %d parts has all of them, and the validator of its bytes', async (count) => {
    answer = await LongAnswer.of(partsOf(count));

    const bytes = await bytesOf(await ask());

    const expected = Buffer.from(PART.repeat(count));
    expect(bytes.equals(expected)).toBe(true);
    expect(answer.etag).toBe(`"${createHash('sha1').update(expected).digest('base64url')}"`);
  });

  it('is not sent to those who have it, nor to those who ask for its head', async () => {
    answer = await LongAnswer.of(partsOf(12));

    const [had, head] = [await ask({ 'if-none-match': answer.etag }), await ask({}, 'HEAD')];

    expect([had.statusCode, (await bytesOf(had)).length]).toEqual([304, 0]);
    expect([head.statusCode, head.headers.etag, (await bytesOf(head)).length]).toEqual([200, answer.etag, 0]);
  });

  it('gives way to others after each piece', async () => {
    let isMade = false;
    let seen = 0;
    const count = async (): Promise<void> => {
      for (; !isMade; seen += 1) await turns(1);
    };
    const counting = count();

    await Promise.all([LongAnswer.of(partsOf(10)), LongAnswer.of(partsOf(10))]);

    isMade = true;
    await counting;
    expect(seen).toBeGreaterThanOrEqual(20);
  });

  it('waits while many others are made, since each of them has a part in memory', async () => {
    let open = 0;
    let most = 0;
    const parts: Parts = function* () {
      most = Math.max(most, (open += 1));
      for (let n = 0; n < 3; n += 1) yield PART;
      open -= 1;
    };

    const answers = await Promise.all(Array.from({ length: 40 }, () => LongAnswer.of(parts)));

    expect(new Set(answers.map(({ etag }) => etag)).size).toBe(1);
    expect([most, open]).toEqual([16, 0]);
  });

  it('is made no faster than it is read', async () => {
    const most = 200;
    let made = 0;
    answer = await LongAnswer.of(partsOf(most, () => (made += 1)));
    made = 0;

    const response = await ask();
    await turns(2 * most);

    expect(made).toBeLessThan(most / 2);
    response.destroy();
  });

  it('is not kept for a reader who takes too little of it: the connection is cut', async () => {
    answer = await LongAnswer.of(partsOf(100));
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
    const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const response = await ask();
    const [, sent] = await asked;
    while (!sent.writableNeedDrain) await turns(1);
    expect(sent.destroyed).toBe(false);

    jest.advanceTimersByTime(600_000);

    expect(sent.destroyed).toBe(true);
    jest.useRealTimers();
    response.destroy();
  });

  it('breaks off the connection when a part cannot be made', async () => {
    let passes = 0;
    answer = await LongAnswer.of(function* () {
      passes += 1;
      for (let n = 0; n < 8; n += 1) yield PART;
      if (passes > 1) throw new Error('The database is gone.');
    });

    const response = await ask();

    await expect(bytesOf(response)).rejects.toThrow('aborted');
  });
});
