import type { Caller } from '../../common/access/caller.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { ServiceRequest } from '../../common/http/request-context.js';
import type { AuditEvent } from '../audit-event.js';
import type { Audit } from '../audit.js';
import { RefusedRequests } from './refused-requests.js';

const MINUTE = 60_000;
const LACKS_SCOPE = new DomainError('insufficient_scope', 'No.');
const BAD_TOKEN = new DomainError('invalid_token', 'No.');

describe('RefusedRequests', () => {
  let noted: AuditEvent[];
  let stop: () => void;
  let refusals: RefusedRequests;

  beforeEach(() => {
    jest.useFakeTimers();
    noted = [];
    const audit = {
      note: (event: AuditEvent) => noted.push(event),
      beforeEnd: (note: () => void) => (stop = note),
    };
    refusals = new RefusedRequests(audit as unknown as Audit);
    refusals.onApplicationBootstrap();
  });

  afterEach(() => jest.useRealTimers());

  const requestOf = (fields: object): ServiceRequest =>
    ({ id: 'r-1', headers: {}, ip: '192.0.2.1', method: 'GET', route: { path: '/api/users' }, ...fields }) as never;
  const user = (id: number): Caller => ({ kind: 'user', id, name: `User ${id}`, scopes: new Set(), sessionId: 's-1' });
  const refuse = (id: number, path = '/api/users') => {
    refusals.failed(requestOf({ caller: user(id), route: { path } }), LACKS_SCOPE);
  };
  const badToken = (ip: string) => {
    refusals.failed(requestOf({ ip, hasBadToken: true }), BAD_TOKEN);
  };
  const numbers = () => noted.map(({ details }) => details?.requests);

  it('notes the first refusal of a caller at once', () => {
    refuse(1);

    expect(noted).toMatchObject([
      {
        event: 'request.refused',
        outcome: 'failure',
        reason: 'insufficient_scope',
        actor: { kind: 'user', id: 1 },
        sessionId: 's-1',
        visitor: { ip: '192.0.2.1', requestId: 'r-1' },
        details: { requests: 1, routes: ['GET /api/users'] },
      },
    ]);
  });

  it('sums up those after it by caller, once a minute', () => {
    for (let request = 0; request < 500; request += 1) refuse(1, `/api/${request % 2}`);
    refuse(2);
    jest.advanceTimersByTime(MINUTE - 1);
    expect(numbers()).toEqual([1, 1]);

    jest.advanceTimersByTime(1);

    expect(numbers()).toEqual([1, 1, 499]);
    expect(noted[2]).toMatchObject({ actor: { id: 1 }, details: { routes: ['GET /api/1', 'GET /api/0'] } });
  });

  it('goes on summing up a caller who goes on, and forgets one who was quiet for a minute', () => {
    refuse(1);
    refuse(1);
    jest.advanceTimersByTime(MINUTE);
    refuse(1);
    expect(numbers()).toEqual([1, 1]);

    jest.advanceTimersByTime(2 * MINUTE);
    expect(numbers()).toEqual([1, 1, 1]);
    refuse(1);
    expect(numbers()).toEqual([1, 1, 1, 1]);
  });

  it('names ten routes at most', () => {
    for (let request = 0; request < 50; request += 1) refuse(1, `/api/${request}`);
    jest.advanceTimersByTime(MINUTE);

    expect(noted[1]?.details).toEqual({
      requests: 49,
      routes: Array.from({ length: 10 }, (_, index) => `GET /api/${index + 1}`),
    });
  });

  it('counts bad tokens by network, as the limits do', () => {
    for (const ip of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1', '192.0.2.1', '::ffff:192.0.2.1']) badToken(ip);
    jest.advanceTimersByTime(MINUTE);

    expect(noted.map(({ reason, visitor }) => [reason, visitor?.ip])).toEqual([
      ['invalid_token', '2001:db8::1'],
      ['invalid_token', '2001:db8:0:1::1'],
      ['invalid_token', '192.0.2.1'],
      ['invalid_token', '2001:db8::2'],
      ['invalid_token', '192.0.2.1'],
    ]);
  });

  it('counts a bad token that a limit refuses as well', () => {
    refusals.failed(requestOf({ hasBadToken: true }), new DomainError('too_many_requests', 'Later.'));

    expect(noted).toMatchObject([{ reason: 'invalid_token' }]);
  });

  it('sums up the callers beyond a thousand in one event', () => {
    for (let id = 1; id <= 5_000; id += 1) refuse(id);
    expect(noted).toHaveLength(1_000);

    jest.advanceTimersByTime(MINUTE);

    expect(noted).toHaveLength(1_001);
    const last = noted[1_000];
    expect(last).toMatchObject({ reason: 'flood', details: { requests: 4_000, routes: ['GET /api/users'] } });
    expect(last?.actor).toBeUndefined();
    expect(last?.visitor).toBeUndefined();
    refuse(5_001);
    expect(noted).toHaveLength(1_002);
  });

  it('leaves other failures alone', () => {
    refusals.failed(requestOf({ caller: user(1) }), new DomainError('not_found', 'Nothing.'));
    refusals.failed(requestOf({}), new DomainError('unauthorized', 'Who?'));
    jest.advanceTimersByTime(MINUTE);

    expect(noted).toEqual([]);
  });

  it('notes what is summed up when the service stops, and nothing after that', () => {
    refuse(1);
    refuse(1);

    stop();
    jest.advanceTimersByTime(5 * MINUTE);

    expect(numbers()).toEqual([1, 1]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
