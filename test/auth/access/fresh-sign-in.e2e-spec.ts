import type { Response } from 'supertest';
import { Clock } from '../../../src/common/clock.js';
import { partOf } from '../../support/forged-tokens.js';
import { expectError } from '../../support/errors.js';
import { otherCode, sendCode } from '../../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import { aPerson, PASSWORD, signedIn, type Person, type Tokens } from '../../support/sign-in.js';
import { TOKENS } from '../../support/test-app.js';

const STEP_UP = '/api/auth/step-up';

describe('A fresh sign-in', () => {
  let service: MailedApp;
  let offset = 0;
  let stoppedAt: number | null = null;

  beforeAll(async () => {
    service = await startMailedApp();
    const clock = service.app.get(Clock);
    jest.spyOn(clock, 'now').mockImplementation(() => (stoppedAt ?? Date.now()) + offset);
  });

  beforeEach(() => {
    offset = 0;
    stoppedAt = null;
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  /** An admin whose sign-in is eleven minutes old. */
  async function stale(): Promise<{ admin: Person; tokens: Tokens }> {
    const admin = await aPerson(service, { role: 'admin' });
    const tokens = await signedIn(service, admin);
    offset += 660_000;
    return { admin, tokens };
  }
  const stepUp = (token: string, body: object) => service.http(token).post(STEP_UP).send(body);
  const token = { name: 'ci', scopes: ['records:read'] };
  const user = { name: 'Ann', email: 'ann@example.com', role: 'author' };

  /** All that takes one, by the method and the path. */
  const GUARDED: [method: string, path: string, body: object][] = [
    ['post', '/api/admin/tokens', token],
    ['post', '/api/admin/tokens/1/rotate', {}],
    ['post', '/api/auth/tokens', token],
    ['post', '/api/auth/tokens/1/rotate', {}],
    ['post', '/api/users', user],
    ['post', '/api/users', { ...user, role: 'viewer', password: PASSWORD }],
    ['post', '/api/users', { ...user, role: 'viewer', verified: true }],
    ['put', '/api/users/1', { name: 'Ann', role: 'viewer' }],
    ['put', '/api/users/1', { password: null }],
    ['put', '/api/users/1', { verified: true }],
    ['patch', '/api/users/1', { email: 'ann@example.com' }],
    ['patch', '/api/users/1', { disabled: false }],
    ['delete', '/api/users/1', {}],
    ['post', '/api/auth/invitations', user],
    ['delete', '/api/admin/types/post', {}],
    ['put', '/api/admin/types/post?confirm=post', { label: 'Post' }],
    ['delete', '/api/admin/taxonomies/tag', {}],
    ['delete', '/api/auth/identities/1', {}],
    ['delete', '/api/users/1/identities/1', {}],
  ];
  const send = (bearer: string, [method, path, body]: (typeof GUARDED)[number]): PromiseLike<Response> =>
    service.http(bearer)[method as 'post'](path).send(body);

  it.each(GUARDED)('is asked for by %s %s', async (method, path, body) => {
    const { tokens } = await stale();

    const answer = await send(tokens.token, [method, path, body]);

    expectError(answer, 'insufficient_user_authentication');
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer realm="cms", error="insufficient_user_authentication", max_age="600"',
    );
    expect(answer.body.message).toContain('POST /api/auth/step-up');
  });

  it.each(GUARDED)(
    'is not asked of tokens, nor of a user right after the sign-in: %s %s',
    async (method, path, body) => {
      const { token: fresh } = await signedIn(service, await aPerson(service));

      expect((await send(TOKENS.reader, [method, path, body])).body.error).not.toBe('insufficient_user_authentication');
      expect((await send(fresh, [method, path, body])).body.error).not.toBe('insufficient_user_authentication');
    },
  );

  it('is not asked for what makes no authority', async () => {
    const { tokens } = await stale();
    await service.http(tokens.token).get('/api/users').expect(200);
    await service.http(tokens.token).post('/api/cms/post').send({ title: 'Still here' }).expect(201);
    await service.http(tokens.token).put('/api/admin/types/post').send({ label: 'Post' }).expect(200);
    const viewer = { name: 'Vic', email: 'vic@example.com' };
    const { body } = await service.http(tokens.token).post('/api/users').send(viewer).expect(201);
    await service.http(tokens.token).put(`/api/users/${body.id}`).send({ name: 'Victor' }).expect(200);
  });

  it('is not asked for what makes an account safe again', async () => {
    const { tokens } = await stale();
    const { id } = await aPerson(service);

    await service.http(tokens.token).delete(`/api/users/${id}/sessions`).expect(204);
    await service.http(tokens.token).delete(`/api/users/${id}/tokens`).expect(204);
    await service.http(tokens.token).post('/api/auth/logout').send({ scope: 'others' }).expect(204);
  });

  it('comes with the password: a new access token of the same session', async () => {
    const { admin, tokens } = await stale();

    const { body } = await stepUp(tokens.token, { password: PASSWORD }).expect(200);

    expect(body).toEqual({ token: expect.any(String), token_type: 'Bearer', expires_in: 900 });
    const [before, after] = [partOf(tokens.token, 1), partOf(body.token, 1)];
    expect(after.sid).toBe(before.sid);
    expect(Number(after.auth_time)).toBeGreaterThanOrEqual(Number(before.auth_time) + 660);
    await service.http(body.token).post('/api/admin/tokens').send(token).expect(201);
    const me = (await service.http(body.token).get('/api/auth/me').expect(200)).body.data;
    expect(Date.parse(me.session.auth_time) / 1_000).toBeCloseTo(Number(after.auth_time), -1);
    expect((await service.http(body.token).get('/api/auth/sessions').expect(200)).body.data).toHaveLength(1);
    const events = await service.http().get(`/api/admin/audit?event=step_up&user_id=${admin.id}`).expect(200);
    expect(events.body.data).toMatchObject([{ outcome: 'success', session_id: before.sid, details: { amr: 'pwd' } }]);
  });

  it('goes on with the session, and not with an access token from before it', async () => {
    const { tokens } = await stale();
    await stepUp(tokens.token, { password: PASSWORD }).expect(200);

    expectError(await send(tokens.token, ['post', '/api/admin/tokens', token]), 'insufficient_user_authentication');
    const { refresh_token: refreshToken } = tokens;
    const next = await service.anonymous().post('/api/auth/refresh').send({ refresh_token: refreshToken }).expect(200);
    await service.http(next.body.token).post('/api/admin/tokens').send(token).expect(201);
  });

  it('is of the session that was confirmed alone, and for ten minutes', async () => {
    const admin = await aPerson(service, { role: 'admin' });
    const [here, elsewhere] = [await signedIn(service, admin), await signedIn(service, admin)];
    offset += 660_000;
    const refreshed = async ({ refresh_token }: Tokens) =>
      (await service.anonymous().post('/api/auth/refresh').send({ refresh_token }).expect(200)).body as Tokens;
    const attempt = (bearer: string) => send(bearer, ['post', '/api/admin/tokens', token]);
    stoppedAt = Date.now();

    const raised = (await stepUp(here.token, { password: PASSWORD }).expect(200)).body.token as string;

    expect((await attempt(raised)).status).toBe(201);
    expectError(await attempt(elsewhere.token), 'insufficient_user_authentication');
    const next = await refreshed(elsewhere);
    expectError(await attempt(next.token), 'insufficient_user_authentication');
    // A new sign-in is a session of its own, and makes no other one fresh.
    expect((await attempt((await signedIn(service, admin)).token)).status).toBe(201);
    expectError(await attempt((await refreshed(next)).token), 'insufficient_user_authentication');
    offset += 599_000;
    const still = await refreshed(here);
    expect([(await attempt(raised)).status, (await attempt(still.token)).status]).toEqual([201, 201]);
    offset += 1_000;
    expectError(await attempt(raised), 'insufficient_user_authentication');
    expectError(await attempt((await refreshed(still)).token), 'insufficient_user_authentication');
  });

  it('comes with a mailed code, once', async () => {
    const { admin, tokens } = await stale();
    await sendCode(service, admin.email);
    const { code } = await service.mailbox.next(admin.email);

    expectError(await stepUp(tokens.token, { code: otherCode(code) }), 'invalid_code');
    const { body } = await stepUp(tokens.token, { code }).expect(200);

    expect(partOf(body.token, 1).amr).toEqual(['pwd', 'otp']);
    await service.http(body.token).post('/api/admin/tokens').send(token).expect(201);
    expectError(await stepUp(tokens.token, { code }), 'invalid_code');
  });

  it('does not come by refreshing the session', async () => {
    const { tokens } = await stale();
    const body = { refresh_token: tokens.refresh_token };
    const next = await service.anonymous().post('/api/auth/refresh').send(body).expect(200);

    expectError(await send(next.body.token, ['post', '/api/admin/tokens', token]), 'insufficient_user_authentication');
  });

  it('counts wrong passwords as a sign-in does', async () => {
    const { tokens } = await stale();
    stoppedAt = Date.now(); // however long the tries take: after a second the next one would be due
    for (let tries = 0; tries < 5; tries += 1) {
      expectError(await stepUp(tokens.token, { password: 'not the password' }), 'invalid_credentials');
    }

    expectError(await stepUp(tokens.token, { password: PASSWORD }), 'too_many_requests');
  });

  it('is not for API tokens, ended sessions or bodies of neither or both', async () => {
    const { tokens } = await stale();

    expectError(await stepUp(TOKENS.admin, { password: PASSWORD }), 'invalid_token');
    expectError(await stepUp(tokens.token, {}), 'validation_failed');
    expectError(await stepUp(tokens.token, { password: PASSWORD, code: '123456' }), 'validation_failed');
    await service.http(tokens.token).post('/api/auth/logout').send({}).expect(204);
    expectError(await stepUp(tokens.token, { password: PASSWORD }), 'invalid_token');
  });

  it('has the own password changed by password/change only', async () => {
    const admin = await aPerson(service, { role: 'admin' });
    const { token: own } = await signedIn(service, admin);

    const refused = await service.http(own).put(`/api/users/${admin.id}`).send({ password: 'another long password' });

    expectError(refused, 'validation_failed');
    expect(refused.body.details).toMatchObject([{ field: 'password', rule: 'own' }]);
    expect(refused.body.message).toContain('POST /api/auth/password/change');
    await service.http(own).put(`/api/users/${admin.id}`).send({ name: 'Renamed' }).expect(200);
  });
});
