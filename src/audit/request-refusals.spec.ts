import { AuditBench } from '../../test/support/audit-bench.js';
import type { Caller } from '../common/access/caller.js';
import { DomainError } from '../common/errors/domain-error.js';
import type { ServiceRequest } from '../common/http/request-context.js';
import type { Audit } from './audit.js';

const LACKS_SCOPE = new DomainError('insufficient_scope', 'No.');
const BAD_TOKEN = new DomainError('invalid_token', 'No.');

describe('The audit of refused requests', () => {
  let bench: AuditBench;
  let audit: Audit;

  beforeAll(async () => {
    bench = await AuditBench.open();
  });

  beforeEach(async () => {
    await bench.empty();
    audit = bench.audit();
  });

  afterAll(() => bench.close());

  const requestOf = (fields: object): ServiceRequest =>
    ({ id: 'r-1', headers: {}, ip: '192.0.2.1', method: 'GET', route: { path: '/api/users' }, ...fields }) as never;
  const user = (id: number): Caller => ({ kind: 'user', id, name: `User ${id}`, scopes: new Set(), sessionId: 's-1' });
  const refuse = (id: number, path = '/api/users') => {
    audit.noteRequest(requestOf({ caller: user(id), route: { path } }), LACKS_SCOPE);
  };
  const badToken = (ip: string) => {
    audit.noteRequest(requestOf({ ip, hasBadToken: true }), BAD_TOKEN);
  };
  const noted = async () => {
    await audit.write();
    const rows = await bench.rows();
    return rows.map((row) => ({ ...row, details: JSON.parse(String(row.details)) as object }));
  };
  const numbers = async () => (await noted()).map(({ details }) => (details as { requests: number }).requests);

  it('notes the first refusal of a caller at once', async () => {
    refuse(1);

    expect(await noted()).toMatchObject([
      {
        event: 'request.refused',
        outcome: 'failure',
        reason: 'insufficient_scope',
        actor_kind: 'user',
        actor_name: 'User 1',
        session_id: 's-1',
        ip: '192.0.2.1',
        request_id: 'r-1',
        details: { requests: 1, routes: ['GET /api/users'] },
      },
    ]);
  });

  it('sums up those after it by caller, once a minute', async () => {
    for (let request = 0; request < 500; request += 1) refuse(1, `/api/${request % 2}`);
    refuse(2);
    expect(await numbers()).toEqual([1, 1]);

    audit.sumUp();

    expect(await numbers()).toEqual([1, 1, 499]);
    expect((await noted())[2]).toMatchObject({
      actor_name: 'User 1',
      details: { routes: ['GET /api/1', 'GET /api/0'] },
    });
  });

  it('goes on summing up a caller who goes on, and forgets one who was quiet for a minute', async () => {
    refuse(1);
    refuse(1);
    audit.sumUp();
    refuse(1);
    expect(await numbers()).toEqual([1, 1]);

    audit.sumUp();
    audit.sumUp();
    expect(await numbers()).toEqual([1, 1, 1]);
    refuse(1);
    expect(await numbers()).toEqual([1, 1, 1, 1]);
  });

  it('names ten routes at most', async () => {
    for (let request = 0; request < 50; request += 1) refuse(1, `/api/${request}`);
    audit.sumUp();

    expect((await noted())[1]?.details).toEqual({
      requests: 49,
      routes: Array.from({ length: 10 }, (_, index) => `GET /api/${index + 1}`),
    });
  });

  it('counts bad tokens by network, as the limits do', async () => {
    for (const ip of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1', '192.0.2.1', '::ffff:192.0.2.1']) badToken(ip);
    audit.sumUp();

    expect(await noted()).toMatchObject(
      ['2001:db8::1', '2001:db8:0:1::1', '192.0.2.1', '2001:db8::2', '192.0.2.1'].map((ip) => ({
        reason: 'invalid_token',
        ip,
      })),
    );
  });

  it('counts a bad token that a limit refuses as well', async () => {
    audit.noteRequest(requestOf({ hasBadToken: true }), new DomainError('too_many_requests', 'Later.'));

    expect(await noted()).toMatchObject([{ reason: 'invalid_token' }]);
  });

  it('sums up the callers beyond a thousand in one event', async () => {
    for (let id = 1; id <= 5_000; id += 1) refuse(id);
    expect(await noted()).toHaveLength(1_000);

    audit.sumUp();

    expect(await noted()).toHaveLength(1_001);
    expect((await noted())[1_000]).toMatchObject({
      reason: 'flood',
      actor_kind: null,
      actor_id: null,
      ip: null,
      details: { requests: 4_000, routes: ['GET /api/users'] },
    });
    refuse(5_001);
    expect(await noted()).toHaveLength(1_002);
  });

  it('leaves other failures alone', async () => {
    audit.noteRequest(requestOf({ caller: user(1) }), new DomainError('not_found', 'Nothing.'));
    audit.noteRequest(requestOf({}), new DomainError('unauthorized', 'Who?'));
    audit.sumUp();

    expect(await noted()).toEqual([]);
  });

  it('notes what is summed up by itself once a minute, and when the service stops', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    const sumUp = jest.spyOn(audit, 'sumUp');
    audit.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(60_000);
    jest.useRealTimers();
    expect(sumUp).toHaveBeenCalledTimes(1);
    await bench.untilStop((ending) => {
      audit = ending;
      refuse(1);
      refuse(1);
    });

    audit = bench.audit();
    expect(await numbers()).toEqual([1, 1]);
  });
});
