import { Clock } from '../../../src/common/clock.js';
import { execute } from '../../../src/database/statements/statement.js';
import { Reads } from '../../../src/database/statements/reads.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import type { ApiTokenDto, issuedDto } from '../../../src/auth/tokens/api/api-token.dto.js';
import { LastUse } from '../../../src/auth/tokens/api/verified-tokens.js';
import { API_TOKENS, startTestApp, TOKENS, type TestApp } from '../../support/test-app.js';

const ROUTE = '/api/admin/tokens';
const DAY = 86_400_000;
const MANAGER = 'test-manager-token-0123456789';
const WITH_MANAGER = `${API_TOKENS},manager=${MANAGER};tokens:write records:read`;
const FOREVER = { name: 'ci', scopes: ['tokens:write'], expires_at: 'never' };

type Shown = ApiTokenDto;
type Issued = ReturnType<typeof issuedDto>['data'];

describe('API tokens', () => {
  let service: TestApp;
  /** When the test began, and how much later it is for the service: its clock stands unless the test moves it. */
  let begin = Date.now();
  let offset = 0;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off', API_TOKENS: WITH_MANAGER });
    jest.spyOn(service.app.get(Clock), 'now').mockImplementation(() => begin + offset);
  });

  beforeEach(() => {
    begin = Date.now();
    offset = 0;
  });

  afterAll(() => service.close());

  const issue = async (body: object = FOREVER): Promise<Issued> =>
    (await service.http().post(ROUTE).send(body).expect(201)).body.data;
  const statusWith = async (token: string): Promise<number> => (await service.http(token).get(ROUTE)).status;
  const read = async (id: number): Promise<Shown> => (await service.http().get(`${ROUTE}/${id}`).expect(200)).body.data;
  const write = (sql: string, values: number[]) =>
    service.app.get(UnitOfWork).run((manager) => execute(manager, sql, values));

  describe('POST /api/admin/tokens', () => {
    it('answers 201 with the token, its location and everything about it', async () => {
      const response = await service
        .http()
        .post(ROUTE)
        .send({ name: 'ci', scopes: ['records:read', 'records:update:post'] });

      expect(response.status).toBe(201);
      const { data } = response.body;
      expect(response.headers.location).toBe(`${ROUTE}/${data.id}`);
      expect(response.headers['cache-control']).toBe('no-store');
      expect(data).toEqual({
        id: expect.any(Number),
        name: 'ci',
        hint: data.token.slice(0, 8),
        kind: 'service',
        owner_id: null,
        scopes: ['records:read', 'records:update:post'],
        expires_at: new Date(Date.parse(data.created_at) + 365 * DAY).toISOString(),
        last_used_at: null,
        revoked_at: null,
        replaced_by: null,
        configured_parent: 'present',
        created_by: 'admin',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        token: expect.stringMatching(/^cms_[0-9A-Za-z]{44}$/),
      });
    });

    it('never shows the token again and does not store it', async () => {
      const { id, token } = await issue();

      const rows = await service.app.get(Reads).select('SELECT * FROM api_tokens WHERE id = ?', [id]);
      expect(JSON.stringify(rows)).not.toContain(token);
      expect(JSON.stringify(await read(id))).not.toContain(token);
      expect((await service.http().get(ROUTE)).text).not.toContain(token);
    });

    it('makes a token that never expires only when asked to', async () => {
      expect((await issue()).expires_at).toBeNull();
    });

    it('takes an instant with an offset as the expiry', async () => {
      const { expires_at } = await issue({ ...FOREVER, expires_at: '2100-01-01T02:00:00+02:00' });

      expect(expires_at).toBe('2100-01-01T00:00:00.000Z');
    });

    it.each([
      ['no name', { name: undefined }, 'name'],
      ['a blank name', { name: '  ' }, 'name'],
      ['a name of 101 characters', { name: 'n'.repeat(101) }, 'name'],
      ['a name that is no text', { name: 7 }, 'name'],
      ['no scopes', { scopes: undefined }, 'scopes'],
      ['an empty list of scopes', { scopes: [] }, 'scopes'],
      [
        'more scopes than anybody needs',
        { scopes: Array.from({ length: 101 }, (_, n) => `records:read:t${n}`) },
        'scopes',
      ],
      ['a name of two lines', { name: 'a\nb' }, 'name'],
      ['a name with a line separator', { name: 'a\u2028b' }, 'name'],
      ['scopes that are no list', { scopes: 'records:read' }, 'scopes'],
      ['an unknown scope', { scopes: ['records:read', 'records:burn'] }, 'scopes'],
      ['a scope twice', { scopes: ['records:read', 'records:read'] }, 'scopes'],
      ['a scope with a space in it', { scopes: ['records:read *'] }, 'scopes'],
      ['an expiry that is over', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      ['an expiry that is no instant', { expires_at: 'tomorrow' }, 'expires_at'],
      ['an expiry that cannot be', { expires_at: '2030-13-01T00:00:00Z' }, 'expires_at'],
      ['an expiry of null', { expires_at: null }, 'expires_at'],
      ['a field of the server', { token_hash: 'x' }, 'token_hash'],
    ])('answers 422 to %s', async (_, change, field) => {
      const { status, body } = await service
        .http()
        .post(ROUTE)
        .send({ ...FOREVER, ...change });

      expect(status).toBe(422);
      expect(body.error).toBe('validation_failed');
      expect(body.details.map((fault: { field: string }) => fault.field)).toEqual([field]);
    });

    it.each([undefined, [], 'text', 7])('answers 4xx to the body %j', async (body) => {
      const { status } = await service
        .http()
        .post(ROUTE)
        .set('Content-Type', 'application/json')
        .send(body === undefined ? '' : JSON.stringify(body));

      expect([400, 422]).toContain(status);
    });

    it('takes a name of 100 characters beyond the basic plane', async () => {
      expect((await issue({ ...FOREVER, name: '🔑'.repeat(100) })).name).toBe('🔑'.repeat(100));
    });

    it('answers 403 when the caller grants what it does not hold', async () => {
      const refused = await service
        .http(MANAGER)
        .post(ROUTE)
        .send({ name: 'more', scopes: ['records:read', 'users:write', '*'] });
      const granted = await service
        .http(MANAGER)
        .post(ROUTE)
        .send({ name: 'less', scopes: ['records:read:post'] });

      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({
        error: 'insufficient_scope',
        details: [{ scope: 'users:write' }, { scope: '*' }],
      });
      expect(granted.status).toBe(201);
      expect(granted.body.data.created_by).toBe('manager');
    });
  });

  describe('GET /api/admin/tokens', () => {
    it('lists the newest first with the total, a page at a time', async () => {
      const [older, newer] = [await issue(), await issue()];

      const { body } = await service.http().get(`${ROUTE}?per_page=2`).expect(200);

      expect(body.data.map(({ id }: { id: number }) => id)).toEqual([newer.id, older.id]);
      expect(body.meta).toEqual({ total: expect.any(Number), per_page: 2, current_page: 1 });
      expect(body.meta.total).toBeGreaterThan(2);
    });

    it('answers an empty page past the last one', async () => {
      const { body } = await service.http().get(`${ROUTE}?page=999999999999999&per_page=1000`).expect(200);

      expect(body.data).toEqual([]);
      expect(body.meta.per_page).toBe(100);
    });

    it.each(['page=0', 'per_page=x', 'foo=1', 'page=1&page=2'])('answers 400 to ?%s', async (query) => {
      const { status, body } = await service.http().get(`${ROUTE}?${query}`);

      expect([status, body.error]).toEqual([400, 'invalid_query']);
    });
  });

  it.each(['0', '9999999999999999', '12345678901234567', 'abc', '1.5', '-1', '%00', '1e3'])(
    'answers 404 token_not_found to the id %s on every route',
    async (id) => {
      const requests = [
        service.http().get(`${ROUTE}/${id}`),
        service.http().delete(`${ROUTE}/${id}`),
        service.http().post(`${ROUTE}/${id}/rotate`),
      ];
      for (const request of requests) {
        const { status, body } = await request;
        expect([status, body.error]).toEqual([404, 'token_not_found']);
      }
    },
  );

  it('answers 405 with Allow to a wrong verb', async () => {
    const { status, headers } = await service.http().put(`${ROUTE}/1`).send({});

    expect([status, headers.allow]).toEqual([405, 'DELETE, GET, HEAD']);
  });

  describe('DELETE /api/admin/tokens/{id}', () => {
    it('answers 204 and ends the token at once, in the middle of its use', async () => {
      const { id, token } = await issue();
      expect(await statusWith(token)).toBe(200);

      await service.http().delete(`${ROUTE}/${id}`).expect(204, '');

      expect(await statusWith(token)).toBe(401);
      expect((await read(id)).revoked_at).not.toBeNull();
    });

    it('answers 404 the second time', async () => {
      const { id } = await issue();
      await service.http().delete(`${ROUTE}/${id}`).expect(204);

      const { status, body } = await service.http().delete(`${ROUTE}/${id}`);

      expect([status, body.error]).toEqual([404, 'token_not_found']);
    });

    it('ends the token also while many requests look it up', async () => {
      const { id, token } = await issue();
      const [revoked] = await Promise.all([
        service.http().delete(`${ROUTE}/${id}`),
        ...Array.from({ length: 20 }, () => statusWith(token)),
      ]);

      expect(revoked.status).toBe(204);
      expect(await statusWith(token)).toBe(401);
    });
  });

  describe('A verified token', () => {
    it('that another process revoked works for less than five seconds more', async () => {
      const { id, token } = await issue();
      expect(await statusWith(token)).toBe(200);
      await write('UPDATE api_tokens SET revoked_at = 1 WHERE id = ?', [id]);

      const soon = await statusWith(token);
      offset = 5_000;
      const later = await statusWith(token);

      expect([soon, later]).toEqual([200, 401]);
    });

    it('ends at the moment at which it expires', async () => {
      const { token } = await issue({ ...FOREVER, expires_at: new Date(begin + DAY).toISOString() });

      offset = DAY - 1_000;
      const before = await statusWith(token);
      offset = DAY;
      const after = await statusWith(token);

      expect([before, after]).toEqual([200, 401]);
    });

    it('is not refused for having been asked about before it was there', async () => {
      const { id, token } = await issue();
      await write('UPDATE api_tokens SET revoked_at = 1 WHERE id = ?', [id]);
      expect(await statusWith(token)).toBe(401);

      await write('UPDATE api_tokens SET revoked_at = NULL WHERE id = ?', [id]);

      expect(await statusWith(token)).toBe(200);
    });

    it('may do what its scopes say and no more', async () => {
      const { token } = await issue({ name: 'reader', scopes: ['records:read'] });

      expect(await statusWith(token)).toBe(403);
    });
  });

  describe('POST /api/admin/tokens/{id}/rotate', () => {
    it('answers 200 with a new token of the same rights and length of life; the old one works 24 hours more', async () => {
      const old = await issue({ name: 'ci', scopes: ['tokens:write'] });
      await statusWith(old.token);

      const { status, body } = await service.http().post(`${ROUTE}/${old.id}/rotate`);

      expect(status).toBe(200);
      const { data } = body;
      expect(data).toMatchObject({ name: 'ci', scopes: ['tokens:write'], replaced_by: null });
      expect(data.token).not.toBe(old.token);
      expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(365 * DAY);
      const { replaced_by, expires_at } = await read(old.id);
      expect(replaced_by).toBe(data.id);
      expect(Date.parse(String(expires_at))).toBe(Date.parse(data.created_at) + DAY);

      expect(await statusWith(old.token)).toBe(200);
      expect(await statusWith(data.token)).toBe(200);
      offset = DAY + 1_000;
      expect(await statusWith(old.token)).toBe(401);
      expect(await statusWith(data.token)).toBe(200);
    });

    it('keeps a token that never expires without expiry', async () => {
      const { id } = await issue();

      const { body } = await service.http().post(`${ROUTE}/${id}/rotate`).expect(200);

      expect(body.data.expires_at).toBeNull();
    });

    it('replaces a token once, however many ask at the same time', async () => {
      const { id } = await issue();

      const answers = await Promise.all(Array.from({ length: 10 }, () => service.http().post(`${ROUTE}/${id}/rotate`)));

      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(404)]);
    });

    it('answers 404 for a token that was revoked', async () => {
      const { id } = await issue();
      await service.http().delete(`${ROUTE}/${id}`).expect(204);

      await service.http().post(`${ROUTE}/${id}/rotate`).expect(404);
    });

    it('answers 403 when the token may do more than the caller', async () => {
      const powerful = await issue({ name: 'powerful', scopes: ['*'] });

      const { status, body } = await service.http(MANAGER).post(`${ROUTE}/${powerful.id}/rotate`);

      expect([status, body.error]).toEqual([403, 'insufficient_scope']);
    });
  });

  describe('The last use of a token', () => {
    const lastUse = async (id: number): Promise<number | null> => {
      await service.app.get(LastUse).write();
      const { last_used_at } = await read(id);
      return last_used_at === null ? null : Date.parse(last_used_at);
    };

    it('is written once a minute and not for each request', async () => {
      const { id, token } = await issue();
      await statusWith(token);
      const first = await lastUse(id);

      offset = 30_000;
      await statusWith(token);
      const soon = await lastUse(id);
      offset = 61_000;
      await statusWith(token);
      const later = await lastUse(id);

      expect(first).not.toBeNull();
      expect(soon).toBe(first);
      expect(later).toBeGreaterThanOrEqual(Number(first) + 60_000);
    });

    it('is not written for a token that was not used', async () => {
      const { id } = await issue();

      expect(await lastUse(id)).toBeNull();
    });
  });

  it('shows the routes to no caller without tokens:write', async () => {
    for (const token of [TOKENS.reader, TOKENS.editor]) {
      await service.http(token).get(ROUTE).expect(403);
      await service.http(token).get(`${ROUTE}/1`).expect(403);
      await service.http(token).delete(`${ROUTE}/1`).expect(403);
      await service.http(token).post(`${ROUTE}/1/rotate`).expect(403);
    }
  });
});
