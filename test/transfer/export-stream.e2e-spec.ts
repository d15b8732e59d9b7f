import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { execute } from '../../src/database/statements/statement.js';
import { RecordReader } from '../../src/records/reading/record-reader.js';
import { Gate } from '../support/gate.js';
import { waitFor } from '../support/mailbox.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const RECORDS = 20_000;
const BODY = 'b'.repeat(2_000);
const PER_STATEMENT = 1_000;
/** Exports of one caller that are on their way together. */
const AT_ONCE = 16;

describe('An export that is read slowly', () => {
  let test: TestApp;
  /** Portions that were read. */
  let portions: number;
  /** Opens when nothing more is read for an answer. */
  let ended: Gate;
  let failAt: number;
  let exportsBegun: () => number;

  beforeAll(async () => {
    test = await startTestApp();
    await fill(test);
    const reader = test.app.get(RecordReader, { strict: false });
    const inOrder = reader.inOrder.bind(reader);
    const spy = jest.spyOn(reader, 'inOrder');
    exportsBegun = () => spy.mock.calls.length;
    spy.mockImplementation(async function* (type, statuses) {
      try {
        for await (const rows of inOrder(type, statuses)) {
          portions += 1;
          if (portions === failAt) throw new Error('The disk is gone.');
          yield rows;
        }
      } finally {
        ended.open();
      }
    });
  });

  beforeEach(() => {
    portions = 0;
    ended = new Gate();
    failAt = 0;
  });

  afterAll(() => test.close());

  function ask(): ClientRequest {
    const { port } = test.app.getHttpServer().address() as AddressInfo;
    const headers = { Authorization: `Bearer ${TOKENS.admin}` };
    return get({ port, host: '127.0.0.1', path: '/api/cms/post/-/export', headers }).on('error', () => undefined);
  }

  function answer(): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => void ask().on('response', resolve).on('error', reject));
  }

  /** Waits until nothing more is read for some turns: in one of them the process may have stood still. */
  async function settled(): Promise<number> {
    for (let [before, quiet] = [-1, 0]; quiet < 10; quiet += 1) {
      if (before !== portions) quiet = 0;
      before = portions;
      await sleep(50);
    }
    return portions;
  }

  it('is not read ahead of its reader, and is whole in the end', async () => {
    const response = await answer();
    await waitFor(() => Promise.resolve(portions > 0 || null), 'the first portion');
    const ahead = await settled();
    let length = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) length += chunk.length;

    expect(length).toBeGreaterThan(RECORDS * BODY.length);
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThan(portions / 2);
  });

  it('is not read on when the client has gone', async () => {
    const response = await answer();
    response.destroy();
    await ended.opened;

    expect(portions).toBeLessThan((RECORDS / PER_STATEMENT) * 10);
  });

  it('cuts the connection when something fails on the way', async () => {
    failAt = 3;
    const response = await answer();
    const read = async (): Promise<void> => {
      for await (const _ of response);
    };

    await expect(read()).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
  });

  it('is refused while one caller has as many on their way as there is room for, and reads nothing', async () => {
    const [first, ...others] = await Promise.all(Array.from({ length: AT_ONCE }, answer));
    const begun = exportsBegun();

    const refused = await answer();

    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0, exportsBegun()]).toEqual([
      503,
      true,
      begun,
    ]);
    first?.destroy();
    const next = await waitFor(async () => {
      const response = await answer();
      if (response.statusCode === 200) return response;
      response.destroy();
      return null;
    }, 'room for one more export');
    for (const response of [refused, ...others, next]) response.destroy();
  });
});

/** Through the database: what is read is all that matters here. */
async function fill({ app }: TestApp): Promise<void> {
  const units = app.get(UnitOfWork, { strict: false });
  const ids = Array.from({ length: RECORDS }, (_, at) => at + 1);
  for (let start = 0; start < RECORDS; start += PER_STATEMENT) {
    const some = ids.slice(start, start + PER_STATEMENT);
    const records = some.map(
      (id) => `(${id}, 1, 'en', 'r-${id}', 'R', 'r', 'published', 1, 1, 1, ${id}, ${id}, ${id}, 0)`,
    );
    const contents = some.map((id) => `(${id}, '${BODY}', '{}')`);
    await units.run(async (manager) => {
      await execute(
        manager,
        `INSERT INTO records (id, type_id, locale, slug, title, title_key, status, version, created_by, updated_by,
                              created_at, updated_at, published_at, trashed_at) VALUES ${records.join(', ')}`,
      );
      await execute(manager, `INSERT INTO record_contents (record_id, body, data) VALUES ${contents.join(', ')}`);
    });
  }
}
