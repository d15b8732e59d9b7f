import type { AddressInfo, Socket } from 'node:net';
import { createClient } from '../../packages/client/src/client.js';
import { CutProxy } from '../support/cut-proxy.js';
import { sendWithKey, titled } from '../support/keyed-posts.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const { TEST_DATABASE_URL: database } = process.env;
const POSTS = '/api/cms/post';

describe('A create with an Idempotency-Key', () => {
  let service: TestApp;
  let toService: CutProxy;
  let toDatabase: CutProxy | undefined;

  beforeAll(async () => {
    if (database !== undefined) {
      toDatabase = await CutProxy.start(database);
      process.env.TEST_DATABASE_URL = toDatabase.url;
    }
    service = await startTestApp({ RATE_LIMITS: 'off' });
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    toService = await CutProxy.start(`http://127.0.0.1:${port}`);
  });

  afterAll(async () => {
    await toService.stop();
    await service.close();
    if (database !== undefined) process.env.TEST_DATABASE_URL = database;
    await toDatabase?.stop();
  });

  it.each([
    ['before the first byte of the request', 'client', 0],
    ['within the headers of the request', 'client', 100],
    ['before the last byte of the request', 'client', -1],
    ['before the answer', 'server', 0],
    ['within the headers of the answer', 'server', 100],
    ['before the last byte of the answer', 'server', -1],
  ] as const)('makes one record where its network is cut %s', async (where, side, most) => {
    const { open } = createClient({ url: toService.url, pauses: [0, 0] });
    toService.next(most < 0 ? beforeEnd(side) : after(side, most));

    const answer = await open('POST', POSTS, {
      body: { title: where },
      headers: { Authorization: `Bearer ${TOKENS.admin}` },
      idempotencyKey: where.replaceAll(' ', '-'),
    });

    expect(toService.isArmed).toBe(false);
    expect(answer).toMatchObject({ data: { title: where, version: 1 } });
    expect(await titled(service, where)).toBe(1);
  });

  if (database !== undefined) {
    it.each(['unsent', 'unanswered'] as const)(
      'makes one record where the network to the database is cut at any of its statements (%s)',
      async (fate) => {
        let cuts = 0;
        for (let isCut = true; isCut; cuts += isCut ? 1 : 0) {
          const title = `${fate} ${cuts}`;
          toDatabase?.next(statementAfter(cuts, fate));
          const create = () => sendWithKey(service, title.replace(' ', '-'), POSTS, { title });

          const first = await create();
          isCut = toDatabase?.isArmed === false;
          toDatabase?.next(null);
          const again = await create();

          expect([201, 503]).toContain(first.status);
          expect([title, again.status, await titled(service, title)]).toEqual([title, 201, 1]);
        }
        // The key with the type, the record, what belongs to it with the COMMIT; the answer.
        expect(cuts).toBeGreaterThanOrEqual(3);
      },
    );
  }
});

type Side = 'client' | 'server';

/** Passes so many bytes of one side on. */
function after(side: Side, most: number) {
  let seen = 0;
  return (from: Side, { length }: Buffer): number | null => {
    if (from === side) seen += length;
    return from === side && seen > most ? length - (seen - most) : null;
  };
}

/** Passes all but the last byte of a message in JSON on. */
function beforeEnd(side: Side) {
  return (from: Side, bytes: Buffer): number | null => (from === side && bytes.includes('}') ? bytes.length - 1 : null);
}

/**
 * Cuts the connection of a unit at one of its packets: before it is sent, or before it is answered.
 *
 * @param count packets from the first one that mentions keys
 */
function statementAfter(count: number, fate: 'unsent' | 'unanswered') {
  let unit: Socket | undefined;
  let packets = -1;
  let isDue = false;
  return (from: Side, bytes: Buffer, connection: Socket): number | null => {
    if (bytes.includes('INTO idempotency_keys')) unit ??= connection;
    if (connection !== unit) return null;
    if (from === 'client') isDue = (packets += 1) === count;
    return isDue && (from === 'client') === (fate === 'unsent') ? 0 : null;
  };
}
