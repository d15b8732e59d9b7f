import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { pino } from 'pino';
import { openTestDatabase, type OpenDatabase } from '../../../test/support/open-database.js';
import { requestScope } from '../../common/tracing/request-scope.js';
import { readSettings } from '../../config/settings.js';
import { SlowQueries } from './slow-queries.js';

const SLOW =
  'WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 900) ' +
  'SELECT MAX(a.n * b.n) AS most, MAX(?) AS word FROM c a CROSS JOIN c b';

describe('Slow queries', () => {
  let open: OpenDatabase;
  let lines: Record<string, unknown>[];

  const slowQueries = (milliseconds: string): SlowQueries => {
    const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    return new SlowQueries(log, readSettings('test', { SLOW_QUERY_MS: milliseconds }));
  };

  beforeAll(async () => {
    open = await openTestDatabase();
  });

  beforeEach(() => {
    lines = [];
  });

  afterAll(() => open.close());

  it('are lines of the log with route and request, and without values', async () => {
    slowQueries('1').watch(open.reader);
    const request = { id: 'r-1', method: 'GET', path: '/api/cms/post/7', route: { path: '/api/cms/:type/:id' } };
    const response = new EventEmitter();

    await new Promise<void>((resolve, reject) => {
      requestScope(true)(request as unknown as Request, response as unknown as Response, () => {
        open.reader.query(SLOW, ['a secret']).then(() => {
          resolve();
        }, reject);
      });
    });
    response.emit('close');
    open.reader.subscribers.length = 0;

    const ms = expect.any(Number) as number;
    expect(lines).toEqual([
      { level: 40, request_id: 'r-1', route: '/api/cms/:type/:id', ms, sql: SLOW, msg: 'slow query' },
    ]);
  });

  it('are those that take as long as the limit, and are cut', () => {
    const slow = slowQueries('500');

    slow.took('SELECT 1', 499.9);
    slow.took('x'.repeat(3_000), 500);

    expect(lines).toEqual([{ level: 40, ms: 500, sql: 'x'.repeat(2_000), msg: 'slow query' }]);
  });

  it('are not followed with 0', () => {
    const slow = slowQueries('0');
    slow.watch(open.reader);
    slow.took('SELECT 1', 60_000);

    expect([open.reader.subscribers, lines]).toEqual([[], []]);
  });
});
