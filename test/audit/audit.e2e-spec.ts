import type { AuditEvent } from '../../src/audit/audit-event.js';
import { AuditJobs } from '../../src/audit/audit-reader.js';
import { Audit } from '../../src/audit/audit.js';
import { Clock } from '../../src/common/clock.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { ago } from '../support/clock.js';
import { expectError } from '../support/errors.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const PATH = '/api/admin/audit';
const START = Date.UTC(2026, 0, 1);

interface Shown {
  readonly event: string;
  readonly user_id: number | null;
  readonly details: Record<string, unknown>;
}

describe('GET /api/admin/audit', () => {
  let service: TestApp;
  let time = START;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off', TRUST_PROXY: '1' });
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const list = async (query = '', expected = 200) =>
    (
      await service
        .http()
        .get(PATH + query)
        .expect(expected)
    ).body;
  const shown = async (query: string): Promise<Shown[]> => (await list(query)).data;

  /** Three of them share each millisecond. */
  async function add(event: Partial<AuditEvent>, count = 1): Promise<void> {
    jest.spyOn(service.app.get(Clock), 'now').mockImplementation(() => Math.floor((time += 1) / 3));
    await service.app.get(UnitOfWork).run(async (manager) => {
      for (let n = 0; n < count; n += 1) {
        await service.app.get(Audit).add(manager, { event: 'login', outcome: 'success', ...event });
      }
    });
    jest.restoreAllMocks();
  }

  it('shows every event once, newest first, page after page and without a total', async () => {
    await add({ userId: 11 }, 25);
    const pages: Shown[][] = [];

    let page = await list('?user_id=11&per_page=10');
    for (; ; page = await list(`?user_id=11&per_page=10&cursor=${page.meta.next_cursor}`)) {
      pages.push(page.data);
      if (page.meta.next_cursor === null) break;
    }

    const all = pages.flat() as unknown as { id: number; at: string }[];
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(page.meta).toEqual({ per_page: 10, current_page: 3, next_cursor: null });
    expect(new Set(all.map(({ id }) => id)).size).toBe(25);
    expect(all).toEqual(all.toSorted((a, b) => b.at.localeCompare(a.at) || b.id - a.id));
  });

  it.each([
    ['user_id=21', 1],
    ['event=otp.verify&user_id=21', 1],
    ['event=logout&user_id=21', 0],
    ['outcome=failure&event=otp.verify', 1],
    ['session_id=s-21', 1],
    ['ip=192.0.2.21', 1],
    ['ip=::ffff:192.0.2.21', 1],
    ['user_id=21&since=2020-01-01T00:00:00Z', 1],
    ['user_id=21&until=2020-01-01T00:00:00Z', 0],
    ['user_id=21&since=1600000000000', 1],
  ])('finds by %s', async (query, count) => {
    if ((await shown('?user_id=21')).length === 0) {
      const visitor = { ip: '192.0.2.21', userAgent: null, requestId: 'r' };
      await add({ event: 'otp.verify', outcome: 'failure', userId: 21, sessionId: 's-21', visitor });
      jest.restoreAllMocks();
    }
    // The clock of these events runs at a third of the time.
    const asked = query.replace('2020-01-01T00:00:00Z', '1980-01-01T00:00:00Z').replace('1600000000000', '1000');

    expect(await shown(`?${asked}`)).toHaveLength(count);
  });

  it('takes both ends of a time: since with it, until without it', async () => {
    await add({ userId: 31 });
    const [{ at }] = (await shown('?user_id=31')) as unknown as [{ at: string }];

    expect(await shown(`?user_id=31&since=${at}`)).toHaveLength(1);
    expect(await shown(`?user_id=31&until=${at}`)).toHaveLength(0);
    expect(await shown(`?user_id=31&until=${Date.parse(at) + 1}`)).toHaveLength(1);
  });

  it.each([
    'colour=red',
    'page=2',
    'event=nothing',
    'event=login&event=logout',
    'outcome=maybe',
    'user_id=x',
    'ip=junk',
    'since=yesterday',
    'until=2026-02-30T00:00:00Z',
    'per_page=0',
    'session_id=',
    `session_id=${'x'.repeat(65)}`,
  ])('refuses %s', async (query) => {
    const answer = await service.http().get(`${PATH}?${query}`);

    expectError(answer, 'invalid_query');
    expect(answer.body.details).toMatchObject([{ field: query.split('=')[0] }]);
  });

  it('refuses a cursor that was made for other filters', async () => {
    const { meta } = await list('?user_id=11&per_page=1');

    expectError(await service.http().get(`${PATH}?user_id=21&cursor=${meta.next_cursor}`), 'invalid_cursor');
    expectError(await service.http().get(`${PATH}?cursor=junk`), 'invalid_cursor');
  });

  it('needs audit:read', async () => {
    expectError(await service.http(TOKENS.editor).get(PATH), 'insufficient_scope');
    expectError(await service.anonymous().get(PATH), 'unauthorized');
  });

  it('has of API tokens who made, replaced and ended them, from where, and never the token', async () => {
    const send = (path: string, method: 'post' | 'delete') =>
      service
        .http()
        [method](path)
        .set('X-Forwarded-For', '::FFFF:192.0.2.99')
        .set('X-Request-Id', 'wanted')
        .set('User-Agent', 'Tester');
    const made = await send('/api/admin/tokens', 'post').send({ name: 'ci', scopes: ['records:read'] });
    const own = `/api/admin/tokens/${made.body.data.id}`;
    const rotated = await send(`${own}/rotate`, 'post');
    await send(own, 'delete').expect(204);
    await send(own, 'delete').expect(404);

    const events = await shown('?ip=192.0.2.99');

    expect(events.map(({ event }) => event)).toEqual(['token.revoked', 'token.rotated', 'token.created']);
    for (const event of events) {
      expect(event).toMatchObject({
        outcome: 'success',
        actor: { kind: 'token', id: null, name: 'admin' },
        user_agent: 'Tester',
        request_id: 'wanted',
        details: { token_id: made.body.data.id, name: 'ci', scopes: 'records:read' },
      });
    }
    expect(events[1]?.details.replaced_by).toBe(rotated.body.data.id);
    expect(JSON.stringify(events)).not.toContain(made.body.data.token);
    expect(JSON.stringify(events)).not.toContain(rotated.body.data.token);
  });

  it('has what callers do with users, by the names of the fields and never by what is secret', async () => {
    const send = (method: 'post' | 'put' | 'delete', path: string, body: object) =>
      service.http()[method](path).set('X-Forwarded-For', '192.0.2.61').set('User-Agent', 'Tester').send(body);
    const password = 'a sentence nobody else has';
    const made = await send('post', '/api/users', { name: 'Ann', email: 'ann@example.com', password }).expect(201);
    const own = `/api/users/${made.body.id}`;

    await send('put', own, { name: 'Ann', disabled: false }).expect(200);
    await send('put', own, { email: 'bea@example.com', password: `${password}!`, role: 'editor' }).expect(200);
    await send('put', own, { disabled: true, name: 'Bea' }).expect(200);
    await send('put', own, { disabled: false }).expect(200);
    await send('delete', own, {}).expect(204);

    const events = await shown(`?user_id=${made.body.id}`);
    expect(events.reverse().map(({ event, details }) => [event, details])).toEqual([
      ['user.created', { role: 'viewer' }],
      [
        'user.updated',
        {
          fields: 'email role password',
          role: 'editor',
          former_role: 'viewer',
          former_email: 'ann@example.com',
        },
      ],
      ['user.disabled', null],
      ['user.updated', { fields: 'name' }],
      ['user.enabled', null],
      ['user.deleted', { role: 'editor' }],
    ]);
    for (const event of events) {
      const actor = { kind: 'token', id: null, name: 'admin' };
      expect(event).toMatchObject({ outcome: 'success', actor, ip: '192.0.2.61', user_agent: 'Tester' });
    }
    expect(JSON.stringify(events)).not.toMatch(/sentence|argon2|"(?:Ann|Bea)"/);
  });

  it('has nothing of changes of users that are refused', async () => {
    const create = (email: string, token?: string) =>
      service.http(token).post('/api/users').send({ name: 'Cai', email, role: 'admin' });
    const { body: cai } = await create('cai@example.com').expect(201);
    const { body: dan } = await create('dan@example.com').expect(201);
    // Refused requests are noted beside them, also those of earlier tests.
    const lastChange = async () => (await shown('?')).find(({ event }) => event !== 'request.refused');
    const last = await lastChange();

    await create('cai@example.com').expect(409);
    await create('eve@example.com', TOKENS.reader).expect(403);
    await service.http().put(`/api/users/${cai.id}`).send({ email: 'dan@example.com', disabled: true }).expect(409);
    await service.http().delete(`/api/users/${dan.id}0`).expect(404);

    expect(last?.event).toBe('user.created');
    expect(await lastChange()).toEqual(last);
  });

  it('drops events that are older than they are kept, and no others', async () => {
    jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(ago(366 * 86_400_000));
    await service.app.get(UnitOfWork).run(async (manager) => {
      for (let n = 0; n < 1_200; n += 1) {
        await service.app.get(Audit).add(manager, { event: 'logout', outcome: 'success', userId: 51 });
      }
    });
    jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(ago(364 * 86_400_000));
    await service.app
      .get(UnitOfWork)
      .run((manager) => service.app.get(Audit).add(manager, { event: 'login', outcome: 'success', userId: 51 }));
    jest.restoreAllMocks();

    await service.app.get(AuditJobs).dropOld();

    expect((await shown('?user_id=51')).map(({ event }) => event)).toEqual(['login']);
  });
});
