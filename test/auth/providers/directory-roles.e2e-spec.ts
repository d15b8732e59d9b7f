import { Accounts } from '../../../src/users/rows/accounts.js';
import { putClockAhead } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { LinkedApp } from '../../support/linked-app.js';
import { tokenOf } from '../../support/mail-sign-in.js';
import { ProviderBrowser } from '../../support/provider-browser.js';

const OFFICE = 'Site editors / Zürich';
const USERS = JSON.stringify({ groups: { map: { admins: 'admin', [OFFICE]: 'editor', staff: 'viewer' } } });

describe('The role that a directory gives', () => {
  let app: LinkedApp;
  let beside: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    const settings = { OIDC_USERS: USERS, OIDC_TRUST_EMAIL: 'true', SIGNUP: 'domains:corp.example' };
    app = await LinkedApp.start(settings);
    beside = await LinkedApp.start(settings, app);
    await app.user('break.glass@corp.example', { role: 'admin' });
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await beside.stop();
    await app.stop();
  });

  const address = () => `d${(count += 1)}@corp.example`;
  const come = (email: string, groups: unknown, more: object = {}) => app.token('oidc', { email, groups, ...more });
  const shown = async (id: number) =>
    (await app.service.http().get(`/api/users/${id}`)).body as Record<string, unknown>;
  const put = (id: number, body: object) => app.service.http().put(`/api/users/${id}`).send(body);
  const scopes = async (where: LinkedApp, token: string) =>
    (await where.service.http(token).get('/api/auth/me')).body.data?.scopes as string[] | undefined;

  it('is that of the most powerful group, read again at each sign-in', async () => {
    const email = address();
    const roles: unknown[] = [];
    let id = 0;
    for (const groups of [['staff'], ['staff', OFFICE], ['admins', 'staff'], [OFFICE], 'staff']) {
      const { body } = await come(email, groups);
      roles.push(body.user.role);
      id = body.user.id as number;
    }

    expect(roles).toEqual(['viewer', 'editor', 'admin', 'editor', 'viewer']);
    expect(await shown(id)).toMatchObject({ role: 'viewer', role_source: 'oidc', email_verified: true });
    const { body } = await app.service.http().get(`/api/admin/audit?user_id=${id}&event=user.updated`);
    const first = { fields: 'role_source', role_source: 'oidc', former_role_source: null };
    expect(body.data).toMatchObject([
      ...[
        ['viewer', 'editor'],
        ['editor', 'admin'],
        ['admin', 'editor'],
        ['editor', 'viewer'],
      ].map(([role, former]) => ({
        actor: { kind: 'token', id: null, name: 'provider:oidc' },
        ip: '127.0.0.1',
        details: { fields: 'role', role, former_role: former, by: 'oidc' },
      })),
      { actor: { name: 'provider:oidc' }, details: first },
    ]);
  });

  it('holds no admin still where nothing changes', async () => {
    const email = address();
    await come(email, ['staff']);
    const held = jest.spyOn(app.service.app.get(Accounts), 'lockWithAdmins');

    const { status } = await come(email, ['staff']);

    expect([status, held.mock.calls.length]).toEqual([200, 0]);
    held.mockRestore();
  });

  it('is named in the notice as what changed it', async () => {
    const email = address();
    await come(email, ['staff']);
    await come(email, [OFFICE]);

    const { text } = await app.mailbox.next(email, /^Your role at/);

    expect(text).toContain('was changed by the directory of your organisation.');
    expect(text).toContain('Its role is editor now; it was viewer.');
    expect(text).not.toContain('administrator');
  });

  it('goes with a lock-down, and administrators give it until the directory speaks again', async () => {
    const email = address();
    const { body } = await come(email, [OFFICE]);
    const id = body.user.id as number;
    await app.service.http(body.token).post('/api/auth/security/lock-down').expect(200);

    const locked = await shown(id);
    const given = await put(id, { role: 'author' });
    const back = await come(email, [OFFICE]);

    expect(locked).toMatchObject({ role: 'viewer', role_source: null });
    expect(given.body).toMatchObject({ role: 'author', role_source: null });
    expect([back.body.user.id, await shown(id)]).toMatchObject([id, { role: 'editor', role_source: 'oidc' }]);
    const { body: audit } = await app.service.http().get(`/api/admin/audit?user_id=${id}&event=account.locked_down`);
    expect(audit.data).toMatchObject([{ details: { role: 'viewer', former_role: 'editor' } }]);
    const { text } = await app.mailbox.next(email, /is locked down$/);
    expect(text.replace(/\s+/g, ' ')).toContain('Its role is viewer until your organisation gives it another one');
  });

  it('is not given to a new account of a person whose account was disabled and then locked down', async () => {
    const email = address();
    const id = (await come(email, ['staff'])).body.user.id as number;
    await come(email, ['admins']);
    const token = tokenOf(await app.mailbox.next(email, /^Your role at/));
    await put(id, { disabled: true }).expect(200);
    await app.service.anonymous().post('/api/auth/lock-down').send({ token }).expect(200);

    const later = await come(address(), ['admins'], { sub: email });

    expectError(later, 'account_disabled');
    expect(await app.identities(id)).toEqual([`oidc ${email}`]);
  });

  it('ends for an admin too who locks the account down', async () => {
    const { body } = await come(address(), ['admins']);

    await app.service.http(body.token).post('/api/auth/security/lock-down').expect(200);

    expect(await shown(body.user.id as number)).toMatchObject({ role: 'viewer', role_source: null });
  });

  it('counts for the sessions that are there, in another process within five seconds', async () => {
    const email = address();
    const { body } = await come(email, ['admins']);
    expect(await scopes(beside, body.token as string)).toEqual(['*']);
    await come(email, ['staff']);

    expect(await scopes(app, body.token as string)).toEqual(['records:read']);
    putClockAhead(beside.service, 5);
    expect(await scopes(beside, body.token as string)).toEqual(['records:read']);
  });

  it('reaches an account that was there, by its address, whatever its role was', async () => {
    const email = address();
    const id = await app.user(email, { role: 'author' });

    const { status, body } = await come(email, [OFFICE]);

    expect([status, body.user]).toMatchObject([200, { id, role: 'editor' }]);
  });

  it('is not changed by an admin, who may change everything else', async () => {
    const { body } = await come(address(), [OFFICE]);
    const id = body.user.id as number;

    expectError(await put(id, { role: 'admin' }), 'managed_elsewhere');
    expect((await put(id, { name: 'New', role: 'editor' })).body).toMatchObject({ name: 'New', role: 'editor' });
  });

  it('belongs to admins where AUTH_METHODS has left the directory out', async () => {
    const { body } = await come(address(), ['admins']);
    const id = body.user.id as number;
    const closed = await LinkedApp.start({ OIDC_USERS: USERS, AUTH_METHODS: 'password' }, app);
    const answer = await closed.service.http().put(`/api/users/${id}`).send({ role: 'viewer' });
    await closed.stop();

    expect([answer.status, answer.body]).toMatchObject([200, { role: 'viewer' }]);
  });

  it('belongs to admins again once they have unlinked the identity', async () => {
    const { body } = await come(address(), [OFFICE]);
    const id = body.user.id as number;
    const identities = await app.service.http().get(`/api/users/${id}/identities`);

    await app.service.http().delete(`/api/users/${id}/identities/${identities.body.data[0].id}`).expect(204);

    expect((await put(id, { role: 'author' })).body).toMatchObject({ role: 'author', role_source: null });
  });

  it('is not kept by unlinking the identity that it comes with', async () => {
    const { body } = await come(address(), ['admins']);
    const own = app.service.http(body.token as string);
    const { body: identities } = await own.get('/api/auth/identities');

    expectError(await own.delete(`/api/auth/identities/${identities.data[0].id}`), 'managed_elsewhere');
  });

  it.each([[[]], [['strangers']], ['strangers']])(
    'is none for the groups %j: the account is disabled until a group lets it in again',
    async (groups) => {
      const email = address();
      const { body } = await come(email, [OFFICE]);
      const id = body.user.id as number;
      const elsewhere = body.token as string;
      expect(await scopes(beside, elsewhere)).toContain('records:publish');

      const refused = await come(email, groups);

      expectError(refused, 'role_not_granted');
      expect(await shown(id)).toMatchObject({ disabled: true, disabled_by: 'oidc' });
      expectError(await app.service.http(elsewhere).get('/api/auth/me'), 'invalid_token');
      const { body: audit } = await app.service.http().get(`/api/admin/audit?user_id=${id}&event=user.disabled`);
      expect(audit.data).toMatchObject([{ actor: { name: 'provider:oidc' }, details: { by: 'oidc' } }]);

      expect((await come(email, ['staff'])).body.user).toMatchObject({ id, role: 'viewer' });
      expect(await shown(id)).toMatchObject({ disabled: false, disabled_by: null });
      const { body: again } = await app.service.http().get(`/api/admin/audit?user_id=${id}&event=user.enabled`);
      expect(again.data).toMatchObject([{ actor: { name: 'provider:oidc' }, details: { former_by: 'oidc' } }]);
    },
  );

  it('becomes the least one where the directory says nothing of groups, and comes back with them', async () => {
    const email = address();
    const { body } = await come(email, ['admins']);
    const id = body.user.id as number;
    const order = { name: 'kept', scopes: ['records:read'] };
    const own = app.service.http(body.token as string);
    const { body: personal } = await own.post('/api/auth/tokens').send(order).expect(201);

    const refused = await come(email, undefined);

    expectError(refused, 'role_not_granted');
    expect(refused.body.message).toContain('groups');
    expect(await shown(id)).toMatchObject({ role: 'viewer', role_source: 'oidc', disabled: false });
    expect(await scopes(app, body.token as string)).toEqual(['records:read']);
    await app.service.http(personal.data.token).get('/api/cms/post').expect(200);
    expect((await come(email, [OFFICE])).body.user).toMatchObject({ id, role: 'editor' });
  });

  it('is left alone that administrators gave, where the directory says nothing of groups', async () => {
    const email = address();
    const { body } = await come(email, ['staff']);
    const id = body.user.id as number;
    await app.write("UPDATE users SET role = 'author', role_source = NULL WHERE id = ?", id);

    expectError(await come(email, undefined), 'role_not_granted');

    expect(await shown(id)).toMatchObject({ role: 'author', role_source: null, disabled: false });
  });

  it('lets no account in again where the directory says nothing of groups', async () => {
    const email = address();
    const { body } = await come(email, ['staff']);
    await come(email, []);

    expectError(await come(email, undefined), 'role_not_granted');

    expect(await shown(body.user.id as number)).toMatchObject({ disabled: true, disabled_by: 'oidc' });
  });

  it('makes no account for an outsider, nor where the directory says nothing of groups', async () => {
    const email = address();

    expectError(await come(email, []), 'role_not_granted');
    expectError(await come(email, undefined), 'role_not_granted');

    expect(JSON.stringify((await app.service.http().get('/api/users')).body)).not.toContain(email);
  });

  it('does not let in again whom an admin has disabled', async () => {
    const email = address();
    const { body } = await come(email, [OFFICE]);
    const id = body.user.id as number;
    await come(email, []);
    await put(id, { disabled: true });

    expectError(await come(email, ['admins']), 'account_disabled');
    expect(await shown(id)).toMatchObject({ disabled: true, disabled_by: null, role: 'editor' });
    const { body: audit } = await app.service.http().get(`/api/admin/audit?user_id=${id}&event=user.disabled`);
    expect(audit.data).toEqual([
      expect.objectContaining({
        actor: expect.objectContaining({ name: 'admin' }),
        details: { former_by: 'oidc' },
      }),
      expect.objectContaining({
        actor: expect.objectContaining({ name: 'provider:oidc' }),
        details: { by: 'oidc' },
      }),
    ]);
  });

  it.each([
    [{ groups: { admins: true } }],
    [{ groups: ['admins', 7] }],
    [{ groups: undefined, hasgroups: true }],
    [
      {
        groups: undefined,
        _claim_names: { groups: 's' },
        _claim_sources: { s: { endpoint: 'https://graph.example' } },
      },
    ],
  ])('cannot be read from %j: the sign-in is refused, and nothing is changed', async (claims) => {
    const email = address();
    const { body } = await come(email, [OFFICE]);

    const refused = await come(email, undefined, claims);

    expectError(refused, 'role_not_granted');
    expect(refused.body.message).toMatch(/groups/);
    expect(await shown(body.user.id as number)).toMatchObject({ disabled: false, role: 'editor' });
    expect(await scopes(app, body.token as string)).toContain('records:publish');
  });

  it('takes an id_token once, also one that is refused', async () => {
    const idToken = await app.provider.idToken({ aud: 'oidc-app', nonce: 'n', email: address(), groups: [] });
    const send = () => app.service.anonymous().post('/api/auth/oidc/token').send({ id_token: idToken, nonce: 'n' });

    expectError(await send(), 'role_not_granted');
    expectError(await send(), 'invalid_id_token');
  });

  it('never takes the last admin who can act', async () => {
    const email = address();
    const { body } = await come(email, ['admins']);
    const id = body.user.id as number;
    await app.write("UPDATE users SET disabled_at = 1 WHERE role = 'admin' AND id <> ?", id);

    expectError(await come(email, ['staff']), 'last_admin');
    expectError(await come(email, []), 'role_not_granted');
    expectError(await come(email, undefined), 'role_not_granted');

    expect(await shown(id)).toMatchObject({ role: 'admin', disabled: false });
    const { body: again } = await come(email, ['admins']);
    await app.service.http(again.token).post('/api/auth/security/lock-down').expect(200);
    expect(await shown(id)).toMatchObject({ role: 'admin', role_source: null });
    await app.write("UPDATE users SET disabled_at = NULL WHERE role = 'admin'");
    expect((await come(email, ['staff'])).body.user.role).toBe('viewer');
  });

  it('is one of those that twenty sign-ins at once bring, and the last sign-in has the say', async () => {
    const email = address();
    await come(email, ['staff']);

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => come(email, [index % 2 === 0 ? 'admins' : 'staff'])),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
    expect((await come(email, [OFFICE])).body.user.role).toBe('editor');
  });

  it('comes through a browser too, with 10,000 groups and from userinfo', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `group-${index}`);
    const [large, thin] = [address(), address()];
    app.provider.behaviour = { claims: { sub: large, email: large, groups: [...many, OFFICE] } };
    const full = await new ProviderBrowser(app.service).signIn('oidc');
    app.provider.behaviour = {
      claims: { sub: thin, email: thin },
      profile: { sub: thin, groups: [...many, 'admins'] },
    };
    const again = await new ProviderBrowser(app.service).signIn('oidc');

    expect([full.body.user, again.body.user]).toMatchObject([{ role: 'editor' }, { role: 'admin' }]);
  });
});
