import type { Response } from 'supertest';
import { Reads } from '../../../src/database/statements/reads.js';
import { putClockAhead } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { LinkedApp, STAFF } from '../../support/linked-app.js';
import { mailedCode, tokenOf, verifyCode } from '../../support/mail-sign-in.js';
import { login, PASSWORD } from '../../support/sign-in.js';

const ANOTHER = 'another quite long one';

describe('An account that is not proved', () => {
  let app: LinkedApp;
  let beside: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    app = await LinkedApp.start({ SIGNUP: 'open' });
    beside = await LinkedApp.start({ SIGNUP: 'open' }, app);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await beside.stop();
    await app.stop();
  });

  const address = () => `u${(count += 1)}@corp.example`;
  const prepare = async (email: string) => {
    const user = { name: 'Boss', email, password: PASSWORD, role: 'viewer' };
    return (await app.service.http(STAFF).post('/api/users').send(user)).body.id as number;
  };
  const invite = (email: string, role = 'admin') =>
    app.service.http().post('/api/auth/invitations').send({ email, name: 'The Boss', role });
  const invitationTo = async (email: string) => {
    for (;;) {
      const mail = await app.mailbox.next(email);
      if (mail.subject.startsWith('You are invited')) return mail;
    }
  };
  const put = (id: number, body: object) => app.service.http().put(`/api/users/${id}`).send(body);

  it('keeps nothing that opens it when it is invited', async () => {
    const email = address();
    const id = await prepare(email);
    const [early, elsewhere] = [await app.session(email), await beside.session(email)];
    const linked = await app.token('google', { email: 'thief@elsewhere.example', sub: `thief-${email}` }, early);
    expect(linked.status).toBe(200);

    const invited = await invite(email);

    expect([invited.status, invited.body.user]).toMatchObject([201, { id, role: 'admin' }]);
    expectError(await login(app.service, { email }), 'invalid_credentials');
    for (const token of [early, elsewhere, linked.body.token as string]) {
      expectError(await app.service.http(token).get('/api/auth/me'), 'invalid_token');
    }
    expect(await app.identities(id)).toEqual([]);
    const ended = 'SELECT DISTINCT revoke_reason FROM auth_sessions WHERE user_id = ?';
    expect(await app.service.app.get(Reads).select(ended, [id])).toEqual([{ revoke_reason: 'account_claimed' }]);
    const thief = await app.token('google', { email: 'thief@elsewhere.example', sub: `thief-${email}` });
    expect(thief.body.user).toMatchObject({ role: 'viewer', email: 'thief@elsewhere.example' });
    const { body: audit } = await app.service.http().get(`/api/admin/audit?user_id=${id}&event=account.stripped`);
    const details = { password: true, sessions: 3, identities: 1 };
    expect(audit.data).toMatchObject([{ email, ip: '127.0.0.1', request_id: expect.any(String), details }]);
  });

  it('belongs to the guest who accepts, and to no session that was there before', async () => {
    const email = address();
    await prepare(email);
    const { body } = await login(app.service, { email });
    await invite(email);
    const token = tokenOf(await invitationTo(email));

    const accepted = await app.service.anonymous().post('/api/auth/invitations/accept').send({ token });

    expect(accepted.body.user).toMatchObject({ email, role: 'admin', email_verified: true });
    expectError(
      await app.service.anonymous().post('/api/auth/refresh').send({ refresh_token: body.refresh_token }),
      'invalid_refresh_token',
    );
  });

  it('is out of the prepared session elsewhere within five seconds', async () => {
    const email = address();
    await prepare(email);
    const session = await beside.session(email);
    expect((await beside.service.http(session).get('/api/auth/me')).status).toBe(200);
    await invite(email);

    putClockAhead(beside.service, 5);

    expect((await beside.service.http(session).get('/api/auth/me')).status).toBe(401);
  });

  it('is not invited by those who do not hold what it may do', async () => {
    const email = address();
    const id = await app.user(email, { role: 'editor', isProved: false });
    const body = { email, name: 'x', role: 'viewer' };

    expectError(await app.service.http(STAFF).post('/api/auth/invitations').send(body), 'insufficient_scope');
    expect((await login(app.service, { email })).body.user).toMatchObject({ id, role: 'editor' });
  });

  it.each(['author', 'editor', 'admin'])('with a password gets no role of more scopes: %s', async (role) => {
    const id = await prepare(address());

    const answer = await put(id, { role });

    expectError(answer, 'validation_failed');
    expect(answer.body.details).toEqual([
      { field: 'role', rule: 'unproven', message: expect.stringContaining('Invite them') },
    ]);
    expect((await app.service.http().get(`/api/users/${id}`)).body.role).toBe('viewer');
  });

  it('with an identity gets none either, though it has no password', async () => {
    const email = address();
    const { body } = await app.token('oidc', { email });

    expectError(await put(body.user.id as number, { role: 'editor' }), 'validation_failed');
  });

  it.each(['session', 'token'])('gets none while a %s lives, though password and identity are gone', async (kind) => {
    const email = address();
    const id = await prepare(email);
    const session = await app.session(email);
    if (kind === 'token') {
      const order = { name: 'thief', scopes: ['records:read'] };
      await app.service.http(session).post('/api/auth/tokens').send(order).expect(201);
      await app.write('UPDATE auth_sessions SET revoked_at = 1 WHERE user_id = ?', id);
    }
    await app.write('UPDATE users SET password_hash = NULL WHERE id = ?', id);

    expectError(await put(id, { role: 'admin' }), 'validation_failed');

    await app.write('UPDATE auth_sessions SET expires_at = 1 WHERE user_id = ?', id);
    await app.write('UPDATE api_tokens SET expires_at = 1 WHERE owner_id = ?', id);
    expect((await put(id, { role: 'admin' })).body.role).toBe('admin');
  });

  it('gets a role of more scopes with nothing that opens it, with a new password, and once it is proved', async () => {
    const bare = await app.user(address(), { isProved: false, password: null });
    const replaced = await prepare(address());
    const proved = await app.user(address());

    expect((await put(bare, { role: 'editor' })).body.role).toBe('editor');
    expect((await put(replaced, { role: 'editor', password: ANOTHER })).body.role).toBe('editor');
    expect((await put(proved, { role: 'editor' })).body.role).toBe('editor');
  });

  it('gets none by a new address, under the password of the one before', async () => {
    const id = await app.user(address());

    expectError(await put(id, { role: 'admin', email: address() }), 'validation_failed');
  });

  it('may be given a role of fewer scopes', async () => {
    const id = await app.user(address(), { role: 'editor', isProved: false });

    expect((await put(id, { role: 'author' })).body.role).toBe('author');
  });
});

describe('A proved account with a password that another user has set', () => {
  let app: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    app = await LinkedApp.start();
  });

  afterAll(() => app.stop());

  const put = (id: number, body: object, token?: string) => app.service.http(token).put(`/api/users/${id}`).send(body);
  const google = (email: string) => ({ email: `${email}.elsewhere.example`, sub: email });

  async function given(): Promise<{ readonly id: number; readonly email: string }> {
    const email = `g${(count += 1)}@corp.example`;
    const id = await app.user(email);
    await put(id, { password: ANOTHER }, STAFF).expect(200);
    return { id, email };
  }

  async function expectRefused(request: PromiseLike<Response>): Promise<void> {
    const answer = await request;
    expectError(answer, 'validation_failed');
    expect(answer.body.details).toMatchObject([{ field: 'role', rule: 'given_password' }]);
  }

  it('gets no role of more scopes, nor by a change of the password with the one that was given', async () => {
    const { id, email } = await given();
    await expectRefused(put(id, { role: 'admin' }));
    const { body } = await login(app.service, { email }, ANOTHER);
    const order = { current_password: ANOTHER, password: 'a third quite long one' };
    await app.service
      .http(body.token as string)
      .post('/api/auth/password/change')
      .send(order)
      .expect(204);

    await expectRefused(put(id, { role: 'author' }));
    expect((await put(id, { name: 'Renamed', role: 'viewer' })).body).toMatchObject({ role: 'viewer' });
  });

  it('gets it once its owner has changed the password, signed in by a mail', async () => {
    const { id, email } = await given();
    const { code } = await mailedCode(app.service, app.mailbox, email);
    const { body } = (await verifyCode(app.service, email, code)) as { body: { token: string } };
    const order = { current_password: ANOTHER, password: 'a third quite long one' };
    await app.service.http(body.token).post('/api/auth/password/change').send(order).expect(204);

    expect((await put(id, { role: 'admin' })).body).toMatchObject({ role: 'admin' });
  });

  it('gets it where an admin has set it, who might make another admin', async () => {
    const id = await app.user(`g${(count += 1)}@corp.example`);
    await put(id, { password: ANOTHER }).expect(200);

    expect((await put(id, { role: 'admin' })).body).toMatchObject({ role: 'admin' });
  });

  it('gets it once its owner has set a password by a mail', async () => {
    const { id, email } = await given();
    await app.service.anonymous().post('/api/auth/password/forgot').send({ email }).expect(200);
    const token = tokenOf(await app.mailbox.next(email, /^A new password for/));
    await app.service.anonymous().post('/api/auth/password/reset').send({ token, password: PASSWORD }).expect(200);

    expect((await put(id, { role: 'admin' })).body).toMatchObject({ role: 'admin' });
  });

  it('loses what was linked with it, when its owner sets a password by a mail', async () => {
    const { id, email } = await given();
    const { body } = await login(app.service, { email }, ANOTHER);
    expect((await app.token('google', google(email), body.token as string)).status).toBe(200);

    await app.service.anonymous().post('/api/auth/password/forgot').send({ email }).expect(200);
    const token = tokenOf(await app.mailbox.next(email, /^A new password for/));
    await app.service.anonymous().post('/api/auth/password/reset').send({ token, password: PASSWORD }).expect(200);

    expect(await app.identities(id)).toEqual([]);
    expect((await put(id, { role: 'admin' })).body).toMatchObject({ role: 'admin' });
  });

  it.each([
    ['a new one', 'a third quite long one'],
    ['none', null],
  ])('gets it together with %s', async (_, password) => {
    const { id, email } = await given();
    const { body } = await login(app.service, { email }, ANOTHER);

    expect((await put(id, { role: 'admin', password })).body).toMatchObject({ role: 'admin' });

    expectError(await login(app.service, { email }, ANOTHER), 'invalid_credentials');
    expectError(await app.service.http(body.token as string).get('/api/auth/me'), 'invalid_token');
  });

  it('gets none with an identity that was linked since, whatever passwords come after it', async () => {
    const { id, email } = await given();
    const { body } = await login(app.service, { email }, ANOTHER);
    expect((await app.token('google', google(email), body.token as string)).status).toBe(200);
    await put(id, { password: null }, STAFF).expect(200);

    await expectRefused(put(id, { role: 'admin' }));
    await expectRefused(put(id, { role: 'admin', password: 'a third quite long one' }));

    const { body: identities } = await app.service.http().get(`/api/users/${id}/identities`);
    await app.service.http().delete(`/api/users/${id}/identities/${identities.data[0].id}`).expect(204);
    expect((await put(id, { role: 'admin' })).body).toMatchObject({ role: 'admin' });
  });

  it('gets it with an identity that was linked before', async () => {
    const email = `g${(count += 1)}@corp.example`;
    const id = await app.user(email);
    expect((await app.token('google', google(email), await app.session(email))).status).toBe(200);
    // Times are whole milliseconds.
    await app.write('UPDATE auth_identities SET created_at = created_at - 1 WHERE user_id = ?', id);
    await put(id, { password: ANOTHER }, STAFF).expect(200);

    expect((await put(id, { role: 'admin', password: null })).body).toMatchObject({ role: 'admin' });
    expect((await app.token('google', google(email))).body.user).toMatchObject({ id, role: 'admin' });
  });
});
