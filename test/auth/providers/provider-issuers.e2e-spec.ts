import type { Response } from 'supertest';
import { expectError } from '../../support/errors.js';
import { MockIdentityProvider } from '../../support/identity-provider.js';
import { LinkedApp } from '../../support/linked-app.js';

describe('Another provider in the place of the former one', () => {
  let former: LinkedApp;
  let other: MockIdentityProvider;
  let moved: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    former = await LinkedApp.start({ SIGNUP: 'open' });
    other = await MockIdentityProvider.start();
    moved = await LinkedApp.start({ SIGNUP: 'open', OIDC_ISSUER: other.url }, former);
  });

  beforeEach(() => former.write('DELETE FROM users'));
  afterAll(async () => {
    await moved.stop();
    await other.stop();
    await former.stop();
  });

  const person = () => ({ sub: `${(count += 1)}`, email: `p${count}@corp.example`, email_verified: true });
  const userOf = ({ body }: Response) => (body as { user?: { id: number } }).user?.id;

  async function atOther(claims: object): Promise<Response> {
    const nonce = `other ${(count += 1)}`;
    const token = await other.idToken({ aud: 'oidc-app', nonce, ...claims });
    return moved.service.anonymous().post('/api/auth/oidc/token').send({ id_token: token, nonce });
  }

  it('has its own users, whatever it calls them', async () => {
    const { sub, email } = person();
    const known = userOf(await former.token('oidc', { sub, email }));

    const stranger = await atOther({ ...person(), sub });

    expect(stranger.status).toBe(200);
    expect(userOf(stranger)).not.toBe(known);
    expect(userOf(await former.token('oidc', { sub, email }))).toBe(known);
  });

  it('links no account of the former one by an address that it does not run', async () => {
    const { sub, email } = person();
    await former.token('oidc', { sub, email });

    expectError(await atOther({ sub, email, email_verified: true }), 'account_link_required');
  });

  it('ends no session that was begun at the former one', async () => {
    const { sub, email } = person();
    const { token } = (await former.token('oidc', { sub, email })).body as { token: string };

    const logoutToken = await other.logoutToken({ sub });
    await moved.service
      .anonymous()
      .post('/api/auth/oidc/backchannel-logout')
      .type('form')
      .send({ logout_token: logoutToken })
      .expect(200);

    await former.service.http(token).get('/api/auth/me').expect(200);
  });

  it('takes no admin for one who can act by an identity of the former one', async () => {
    const { sub, email } = person();
    const id = userOf(await former.token('oidc', { sub, email })) ?? 0;
    await former.write("UPDATE users SET role = 'admin', email_verified_at = NULL WHERE id = ?", id);
    const local = await former.user(`local${count}@corp.example`, { role: 'admin' });

    expectError(await moved.service.http().put(`/api/users/${local}`).send({ role: 'viewer' }), 'last_admin');
    await former.service.http().put(`/api/users/${local}`).send({ role: 'viewer' }).expect(200);
  });
});
