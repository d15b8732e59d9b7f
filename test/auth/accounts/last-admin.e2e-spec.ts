import { expectError } from '../../support/errors.js';
import { LinkedApp } from '../../support/linked-app.js';
import { PASSWORD } from '../../support/sign-in.js';

/** What makes an admin one who can act. */
const CREDENTIALS = ['password', 'mailbox', 'identity'] as const;

describe('The last admin who can act', () => {
  let app: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    app = await LinkedApp.start();
  });

  beforeEach(() => app.write('DELETE FROM users'));
  afterAll(() => app.stop());

  async function admin(credential: (typeof CREDENTIALS)[number] | 'none'): Promise<number> {
    const email = `a${(count += 1)}@corp.example`;
    const password = credential === 'password' ? PASSWORD : null;
    const id = await app.user(email, { role: 'admin', password, isProved: credential === 'mailbox' });
    if (credential === 'identity') {
      await app.write(
        "INSERT INTO auth_identities (provider, subject, user_id, email, created_at, last_used_at) VALUES ('oidc', ?, ?, ?, 1, 1)",
        ...[email, id, email],
      );
    }
    return id;
  }

  const ends: [string, (id: number) => PromiseLike<Parameters<typeof expectError>[0]>][] = [
    ['deleted', (id) => app.service.http().delete(`/api/users/${id}`)],
    ['demoted', (id) => app.service.http().put(`/api/users/${id}`).send({ role: 'editor' })],
    ['disabled', (id) => app.service.http().put(`/api/users/${id}`).send({ disabled: true })],
  ];

  describe.each(ends)('is not %s', (_, end) => {
    it.each(CREDENTIALS)('for an invited one who has never come, having a %s', async (credential) => {
      const last = await admin(credential);
      await admin('none');

      expectError(await end(last), 'last_admin');
    });

    it.each(CREDENTIALS)('unless another one has a %s', async (credential) => {
      const one = await admin('password');
      await admin(credential);

      expect((await end(one)).status).toBeLessThan(300);
    });

    it('and one who was only invited is, beside them', async () => {
      await admin('mailbox');
      const mistyped = await admin('none');

      expect((await end(mistyped)).status).toBeLessThan(300);
    });

    it('where all were only invited', async () => {
      const first = await admin('none');
      expectError(await end(first), 'last_admin');

      await admin('none');
      expect((await end(first)).status).toBeLessThan(300);
    });
  });

  it('keeps the password, and the address, where nothing else lets them in', async () => {
    const byPassword = await admin('password');
    expectError(await app.service.http().put(`/api/users/${byPassword}`).send({ password: null }), 'last_admin');
    await app.write('DELETE FROM users');
    const byMailbox = await admin('mailbox');
    expectError(
      await app.service.http().put(`/api/users/${byMailbox}`).send({ email: 'mistyped@corp.example' }),
      'last_admin',
    );

    const { status } = await app.service
      .http()
      .put(`/api/users/${byMailbox}`)
      .send({ email: 'other@corp.example', password: PASSWORD });
    expect(status).toBe(200);
  });

  describe('can act by what AUTH_METHODS lets in alone', () => {
    it.each([
      ['a password', 'password', 'otp', 'mailbox'],
      ['a proved address', 'mailbox', 'oidc', 'identity'],
      ['an identity', 'identity', 'password', 'password'],
    ] as const)('and not by %s elsewhere: %s with AUTH_METHODS=%s', async (_, useless, methods, useful) => {
      const strict = await LinkedApp.start({ AUTH_METHODS: methods }, app);
      const last = await admin(useful);
      const beside = await admin(useless);
      const demote = (id: number) => strict.service.http().put(`/api/users/${id}`).send({ role: 'editor' });

      const refused = await demote(last);
      const done = await demote(beside);

      await strict.stop();
      expectError(refused, 'last_admin');
      expect(done.status).toBe(200);
    });

    it('and by a proved address where a forgotten password is replaced by mail', async () => {
      const strict = await LinkedApp.start({ AUTH_METHODS: 'password' }, app);
      const one = await admin('password');
      await admin('mailbox');

      const { status } = await strict.service.http().delete(`/api/users/${one}`);

      await strict.stop();
      expect(status).toBe(204);
    });

    it('so that an identity which lets no admin in can be unlinked from the only one', async () => {
      const strict = await LinkedApp.start({ AUTH_METHODS: 'password' }, app);
      const one = await admin('identity');
      const [identity] = await app.select<{ id: number }>('SELECT id FROM auth_identities WHERE user_id = ?', one);

      const { status } = await strict.service.http().delete(`/api/users/${one}/identities/${identity?.id}`);

      await strict.stop();
      expect(status).toBe(204);
    });
  });

  describe('is not invited again', () => {
    const invite = async (id: number, role: string) => {
      const { body: user } = await app.service.http().get(`/api/users/${id}`);
      const invitation = { email: user.email, name: 'Invited', role };
      return app.service.http().post('/api/auth/invitations').send(invitation);
    };

    it.each(['viewer', 'admin'])('as %s, which would take the password', async (role) => {
      const last = await admin('password');
      await admin('none');

      expectError(await invite(last, role), 'last_admin');

      const [kept] = await app.select<{ role: string; password_hash: string | null }>(
        'SELECT role, password_hash FROM users WHERE id = ?',
        last,
      );
      expect(kept).toEqual({ role: 'admin', password_hash: expect.stringMatching(/^\$argon2id/) });
    });

    it('unless another one can act', async () => {
      const one = await admin('password');
      await admin('mailbox');

      expect((await invite(one, 'viewer')).status).toBe(201);
    });

    it('but one who has never come is, having nothing to lose', async () => {
      const only = await admin('none');

      expect((await invite(only, 'admin')).status).toBe(201);
    });
  });
});
