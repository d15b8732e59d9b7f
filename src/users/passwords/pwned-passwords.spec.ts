import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { readSettings } from '../../config/settings.js';
import { PwnedPasswords } from './passwords.js';

const PASSWORD = 'correct horse battery';
const DIGEST = createHash('sha1').update(PASSWORD).digest('hex').toUpperCase();
const [PREFIX, SUFFIX] = [DIGEST.slice(0, 5), DIGEST.slice(5)];
const OTHERS = ['0', 'A', 'F'].map((digit) => `${digit.repeat(35)}:7`);

describe('A range of leaked passwords', () => {
  let server: Server;
  let range: PwnedPasswords;
  let lines: string[];
  let requests: IncomingMessage[];
  let answer: (response: ServerResponse) => unknown;

  beforeEach(async () => {
    // The two seconds pass where a test has them pass, however slow the machine is.
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
    [lines, requests] = [[], []];
    server = createServer((request, response) => {
      requests.push(request);
      answer(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/range/`;
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
    range = new PwnedPasswords(Object.assign(readSettings('test', {}), { pwnedUrl: url }), log);
  });

  afterEach(async () => {
    jest.useRealTimers();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const rows =
    (...all: string[]) =>
    (response: ServerResponse) =>
      response.end(all.join('\r\n'));

  it('has the passwords in its rows', async () => {
    answer = rows(...OTHERS, `${SUFFIX}:3`);

    expect(await range.has(PASSWORD)).toBe(true);
    expect(lines).toEqual([]);
  });

  it('is compared whatever the case of its digits is', async () => {
    answer = rows(...OTHERS, `${SUFFIX.toLowerCase()}:3`);

    expect(await range.has(PASSWORD)).toBe(true);
  });

  it.each([
    ['no other ones', OTHERS],
    ['none that stand there to pad the answer only, with the count 0', [...OTHERS, `${SUFFIX}:0`]],
  ])('has %s', async (_, all) => {
    answer = rows(...all);

    expect(await range.has(PASSWORD)).toBe(false);
    expect(lines).toEqual([]);
  });

  it('is asked for by five digits alone, padded', async () => {
    answer = rows(...OTHERS);

    await range.has(PASSWORD);

    expect(requests.map(({ method, url }) => [method, url])).toEqual([['GET', `/range/${PREFIX}`]]);
    expect(requests[0]?.headers).toMatchObject({ 'add-padding': 'true', 'user-agent': 'content-service' });
    expect(JSON.stringify(requests[0]?.rawHeaders)).not.toContain(SUFFIX);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['an error', (response) => response.writeHead(500).end(`${SUFFIX}:3`)],
    ['a page', (response) => response.end('<html>Not here</html>')],
    ['rows and something else', rows(`${SUFFIX}:3`, 'x')],
    ['nothing', (response) => response.end()],
    ['bytes that are no text', (response) => response.end(Buffer.from([0xff, 0xfe]))],
    ['the way elsewhere', (response) => response.writeHead(302, { Location: '/range/elsewhere' }).end()],
    ['more than a range has', (response) => response.end(`${'0'.repeat(35)}:1\r\n`.repeat(10_000))],
    ['a broken connection', (response) => response.destroy()],
  ])('lets every password pass where its service answers with %s, and the log has that', async (_, misbehaves) => {
    answer = misbehaves;

    expect(await range.has(PASSWORD)).toBe(false);

    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('a new password was taken without it');
    for (const secret of [PASSWORD, PREFIX, SUFFIX]) expect(lines[0]).not.toContain(secret);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['sends nothing', () => undefined],
    ['ends in the middle of a row', (response) => response.writeHead(200).write(SUFFIX)],
  ])('is waited for two seconds and no longer: its service %s', async (_, misbehaves) => {
    const asked = new Promise<ServerResponse>((resolve) => {
      answer = (response) => {
        misbehaves(response);
        resolve(response);
      };
    });
    const outcome: boolean[] = [];
    const done = range.has(PASSWORD).then((has) => outcome.push(has));
    const closed = once(await asked, 'close');

    await jest.advanceTimersByTimeAsync(1_999);
    await turn();
    expect(outcome).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await done;

    expect(outcome).toEqual([false]);
    expect(lines).toEqual([expect.stringContaining('no whole answer within 2000 ms')]);
    await closed;
  });
});
