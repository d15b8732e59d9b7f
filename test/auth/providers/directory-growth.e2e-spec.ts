import { expectError } from '../../support/errors.js';
import { LinkedApp, STAFF } from '../../support/linked-app.js';
import { mailedCode, verifyCode } from '../../support/mail-sign-in.js';
import { ProviderBrowser } from '../../support/provider-browser.js';
import { login, PASSWORD } from '../../support/sign-in.js';

describe('Where a directory gives roles and does not speak for addresses', () => {
  let app: LinkedApp;

  beforeAll(async () => {
    app = await LinkedApp.start({
      OIDC_USERS: '{"groups":{"claim":"realm_access.roles","map":{"admins":"admin"}},"default_role":"author"}',
      SIGNUP: 'open',
    });
  });

  afterAll(() => app.stop());

  it('the role goes with the identity when the mailbox is proved by another person', async () => {
    const email = 'victim@corp.example';
    const insider = await app.token('oidc', { email, realm_access: { roles: ['admins'] } });
    expect(insider.body.user).toMatchObject({ role: 'admin', email_verified: false });
    await app.user('break.glass@corp.example', { role: 'admin' });

    const { code } = await mailedCode(app.service, app.mailbox, email);
    const { body } = await verifyCode(app.service, email, code);

    const { id } = insider.body.user;
    expect(body.user).toMatchObject({ id, role: 'viewer', email_verified: true });
    expectError(await app.token('oidc', { email, realm_access: { roles: ['admins'] } }), 'account_link_required');
  });

  it.each(['admins', 'staff'])(
    'an account with a password that others know is left to the directory when it gets the role of %s',
    async (group) => {
      const email = `boss.${group}@corp.example`;
      const user = { name: 'Boss', email, password: PASSWORD, role: 'viewer' };
      const { body: made } = await app.service.http(STAFF).post('/api/users').send(user);
      const stranger = await app.session(email);
      const order = { name: 'kept', scopes: ['records:read'] };
      const { body: personal } = await app.service.http(stranger).post('/api/auth/tokens').send(order).expect(201);
      const google = { email: 'stranger@elsewhere.example', sub: `stranger-${group}` };
      expect((await app.token('google', google, stranger)).status).toBe(200);
      const own = await app.session(email);

      const linked = await app.token('oidc', { email, realm_access: { roles: [group] } }, own);

      const role = group === 'admins' ? 'admin' : 'author';
      expect([linked.status, linked.body.user]).toMatchObject([200, { id: made.id, role, email_verified: false }]);
      for (const token of [stranger, own, personal.data.token as string]) {
        expectError(await app.service.http(token).get('/api/auth/me'), 'invalid_token');
      }
      expectError(await login(app.service, { email }), 'invalid_credentials');
      const { body: me } = await app.service.http(linked.body.token as string).get('/api/auth/me');
      expect(me.data.user).toMatchObject({ id: made.id });
      expect(await app.identities(made.id as number)).toEqual([`oidc ${email}`]);
      const { body } = await app.service.http().get(`/api/admin/audit?user_id=${made.id}&event=account.stripped`);
      const details = { by: 'oidc', password: true, sessions: 3, identities: 1, tokens: 1 };
      expect(body.data).toMatchObject([{ email, ip: '127.0.0.1', details }]);
      const { text } = await app.mailbox.next(email, /was given more rights$/);
      expect(text).toContain('the password, 3 sessions, 1 linked identity, 1 personal API token.');
    },
  );

  it('the page that asks whether to link says when the account gets the role', async () => {
    const email = 'asked@corp.example';
    await app.user(email);
    const own = app.service.http(await app.session(email));
    const page = async (provider: string) => {
      const { body } = await own.post(`/api/auth/${provider}/link`).send({}).expect(200);
      const { pathname, search } = new URL(body.data.url as string);
      return (await app.service.anonymous().get(pathname + search)).text;
    };

    expect(await page('oidc')).toContain('the account gets the role that it has given you.');
    expect(await page('google')).not.toContain('role');
  });

  it('the session goes whose holder has the person of the directory link to a prepared account', async () => {
    const email = 'lured@corp.example';
    const user = { name: 'Boss', email, password: PASSWORD, role: 'viewer' };
    const { body: made } = await app.service.http(STAFF).post('/api/users').send(user).expect(201);
    const { body: stranger } = await login(app.service, { email });
    const ticket = await app.service
      .http(stranger.token as string)
      .post('/api/auth/oidc/link')
      .send({})
      .expect(200);
    const boss = new ProviderBrowser(app.service);
    app.provider.behaviour = { claims: { sub: email, email, realm_access: { roles: ['admins'] } } };

    const linked = await boss.confirmLink(ticket.body.data.url as string);

    expect([linked.status, linked.body.user]).toMatchObject([200, { id: made.id, role: 'admin' }]);
    expectError(await app.service.http(stranger.token as string).get('/api/auth/me'), 'invalid_token');
    const refresh = { refresh_token: stranger.refresh_token as string };
    expectError(await app.service.anonymous().post('/api/auth/refresh').send(refresh), 'invalid_refresh_token');
  });

  it('an account that its owner has proved keeps everything when its role grows', async () => {
    const email = 'proved@corp.example';
    const id = await app.user(email);
    const session = await app.session(email);

    const linked = await app.token('oidc', { email, realm_access: { roles: ['admins'] } }, session);

    expect(linked.body.user).toMatchObject({ id, role: 'admin' });
    expect((await login(app.service, { email })).body.user).toMatchObject({ id, role: 'admin' });
  });

  it('an account that is proved is left to the directory too, where another user has set its password', async () => {
    const email = 'given@corp.example';
    const password = 'another quite long one';
    const id = await app.user(email);
    await app.service.http(STAFF).put(`/api/users/${id}`).send({ password }).expect(200);
    const { body } = await login(app.service, { email }, password);

    const linked = await app.token('oidc', { email, realm_access: { roles: ['admins'] } }, body.token as string);

    expect(linked.body.user).toMatchObject({ id, role: 'admin', email_verified: true });
    expectError(await login(app.service, { email }, password), 'invalid_credentials');
  });

  it('everybody else has the role of the asterisk', async () => {
    const { body } = await app.token('oidc', { email: 'else@corp.example', realm_access: { roles: ['others'] } });

    expect(body.user.role).toBe('author');
  });

  it('that role is the most that a directory leaves which says nothing of groups, and no account gets it by that', async () => {
    const [fresh, member] = ['silent.new@corp.example', 'silent.admin@corp.example'];
    const come = async (email: string, claims: object = {}) =>
      (await app.token('oidc', { email, ...claims })).body.user;
    const staff = { realm_access: { roles: ['others'] } };

    expect(await come(fresh)).toMatchObject({ role: 'viewer' });
    expect(await come(fresh, staff)).toMatchObject({ role: 'author' });
    expect(await come(fresh)).toMatchObject({ role: 'author' });
    expect(await come(member, { realm_access: { roles: ['admins'] } })).toMatchObject({ role: 'admin' });
    expect(await come(member)).toMatchObject({ role: 'author' });
  });
});
