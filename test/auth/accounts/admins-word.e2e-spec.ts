import { expectError } from '../../support/errors.js';
import { LinkedApp, STAFF } from '../../support/linked-app.js';
import { mailedCode, tokenOf, verifyCode } from '../../support/mail-sign-in.js';
import { login, PASSWORD } from '../../support/sign-in.js';

const ANOTHER = 'another quite long one';

describe('An account with an address that is not proved', () => {
  let app: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    app = await LinkedApp.start({ SIGNUP: 'open' });
  });

  afterAll(() => app.stop());

  const address = () => `w${(count += 1)}@corp.example`;
  const prepare = async (email: string) => {
    const user = { name: 'Boss', email, password: PASSWORD, role: 'viewer' };
    return (await app.service.http(STAFF).post('/api/users').send(user)).body.id as number;
  };
  const put = (id: number, body: object) => app.service.http().put(`/api/users/${id}`).send(body);

  describe('set up by an admin', () => {
    const setUp = async () => {
      const email = address();
      const user = { name: 'Ann', email, password: PASSWORD };
      const { body } = await app.service.http().post('/api/users').send(user).expect(201);
      return { id: body.id as number, email };
    };
    const byCode = async (email: string) => {
      const { code } = await mailedCode(app.service, app.mailbox, email);
      return verifyCode(app.service, email, code);
    };

    it('gets a role of more scopes without a detour, also once its user has changed the password', async () => {
      const { id, email } = await setUp();
      const session = app.service.http(await app.session(email));
      await session
        .post('/api/auth/password/change')
        .send({ current_password: PASSWORD, password: ANOTHER })
        .expect(204);

      expect((await put(id, { role: 'editor' })).body).toMatchObject({ role: 'editor', email_verified: false });
    });

    it('loses nothing when its user first signs in by a code', async () => {
      const { email } = await setUp();
      const early = await app.session(email);

      expect((await byCode(email)).body.user).toMatchObject({ email, email_verified: true });

      expect((await login(app.service, { email })).status).toBe(200);
      await app.service.http(early).get('/api/auth/me').expect(200);
    });

    it('loses its sessions all the same by a new password after a mail', async () => {
      const { email } = await setUp();
      const early = await app.session(email);
      await app.service.anonymous().post('/api/auth/password/forgot').send({ email }).expect(200);
      const token = tokenOf(await app.mailbox.next(email, /^A new password for/));

      await app.service.anonymous().post('/api/auth/password/reset').send({ token, password: ANOTHER }).expect(200);

      expectError(await app.service.http(early).get('/api/auth/me'), 'invalid_token');
    });

    it.each<[string, (id: number, email: string) => Promise<unknown>]>([
      ['another password', (id) => app.service.http(STAFF).put(`/api/users/${id}`).send({ password: ANOTHER })],
      [
        'another address',
        (id, email) =>
          app.service
            .http(STAFF)
            .put(`/api/users/${id}`)
            .send({ email: `x${email}` }),
      ],
    ])('loses all of it, and gets no role, after %s of one who is none', async (_, change) => {
      const { id, email } = await setUp();
      await change(id, email);
      const { body } = await app.service.http().get(`/api/users/${id}`);
      const present = body.email as string;
      const password = present === email ? ANOTHER : PASSWORD;
      expect((await login(app.service, { email: present }, password)).status).toBe(200);
      expectError(await put(id, { role: 'editor' }), 'validation_failed');

      expect((await byCode(present)).status).toBe(200);

      expectError(await login(app.service, { email: present }, password), 'invalid_credentials');
    });

    it('is not so by a password that an admin adds to an identity of a stranger', async () => {
      const email = address();
      const id = (await app.token('oidc', { email, sub: email })).body.user.id as number;
      await put(id, { password: PASSWORD }).expect(200);

      expectError(await put(id, { role: 'editor' }), 'validation_failed');
      await byCode(email);

      expect(await app.identities(id)).toEqual([]);
    });
  });

  describe('is vouched for', () => {
    it('by an admin, with a new account and later, which the audit knows', async () => {
      const user = { name: 'Ann', email: address(), verified: true };
      const { body } = await app.service.http().post('/api/users').send(user).expect(201);
      const colleague = { name: 'Bob', email: address(), password: PASSWORD };
      const id = (await app.service.http().post('/api/users').send(colleague).expect(201)).body.id as number;

      expect(body.email_verified).toBe(true);
      expect((await put(id, { verified: true })).body).toMatchObject({ email_verified: true });
      expect((await put(id, { email: address(), verified: true })).body).toMatchObject({ email_verified: true });
      const { body: audit } = await app.service.http().get(`/api/admin/audit?user_id=${id}&event=user.updated`);
      expect(audit.data.map(({ details }: { details: { fields: string } }) => details.fields).sort()).toEqual([
        'email verified',
        'verified',
      ]);
      const { body: made } = await app.service.http().get(`/api/admin/audit?user_id=${body.id}&event=user.created`);
      expect(made.data).toMatchObject([{ details: { role: 'viewer', verified: true } }]);
    });

    it('by none who may do less, nor while a stranger may open it, and never with another word than true', async () => {
      const id = await prepare(address());
      const staff = app.service.http(STAFF);

      expectError(await staff.put(`/api/users/${id}`).send({ verified: true }), 'insufficient_scope');
      const user = { name: 'Ann', email: address(), verified: true };
      expectError(await staff.post('/api/users').send(user), 'insufficient_scope');
      const answer = await put(id, { verified: true });
      expectError(answer, 'validation_failed');
      expect(answer.body.details).toMatchObject([{ field: 'verified', rule: 'unproven' }]);
      for (const verified of [false, null, 'true']) expectError(await put(id, { verified }), 'validation_failed');
      expect((await put(id, { verified: true, password: ANOTHER })).body).toMatchObject({ email_verified: true });
    });
  });
});
