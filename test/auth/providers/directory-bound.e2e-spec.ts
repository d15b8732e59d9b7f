import { expectError } from '../../support/errors.js';
import { LinkedApp } from '../../support/linked-app.js';
import { ProviderBrowser } from '../../support/provider-browser.js';

describe('An identity that a directory knows by another address', () => {
  let app: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    app = await LinkedApp.start({
      OIDC_USERS: '{"groups":{"map":{"admins":"admin","editors":"editor","staff":"viewer"}}}',
      SIGNUP: 'open',
    });
    await app.user('break.glass@corp.example', { role: 'admin' });
  });

  afterAll(() => app.stop());

  const address = (name: string) => `${name}.${(count += 1)}@corp.example`;
  const come = (sub: string, email: string, groups: string[], session?: string, more: object = {}) =>
    app.token('oidc', { sub, email, groups, ...more }, session);
  const shown = async (id: number) =>
    (await app.service.http().get(`/api/users/${id}`).expect(200)).body as Record<string, unknown>;
  const put = (id: number, body: object) => app.service.http().put(`/api/users/${id}`).send(body);

  /** An account, and a person of the directory who is linked to it by hand. */
  async function linked(groups: string[], { role = 'viewer', theirs = address('boss') } = {}) {
    const email = address('own');
    const id = await app.user(email, { role });
    const session = await app.session(email);
    const answer = await come(theirs, theirs, groups, session);
    return { email, id, session, theirs, answer };
  }

  it('gives no role when it is linked, nor at later sign-ins, and opens the account', async () => {
    const { id, theirs, answer } = await linked(['admins']);

    const later = await come(theirs, theirs, ['admins']);

    for (const { status, body } of [answer, later]) {
      expect([status, body.user]).toMatchObject([200, { id, role: 'viewer' }]);
    }
    expect(await shown(id)).toMatchObject({ role: 'viewer', role_source: null });
  });

  it('gives none to the account of another person who was sent the page that links', async () => {
    const email = address('lure');
    const id = await app.user(email);
    const own = app.service.http(await app.session(email));
    const { body } = await own.post('/api/auth/oidc/link').send({}).expect(200);
    const theirs = address('boss');
    app.provider.behaviour = { claims: { sub: theirs, email: theirs, groups: ['admins'] } };

    const answer = await new ProviderBrowser(app.service).confirmLink(body.data.url as string);

    expect([answer.status, answer.body.user]).toMatchObject([200, { id, role: 'viewer' }]);
    expect((await own.get('/api/auth/me')).body.data.user.role).toBe('viewer');
  });

  it('leaves a role alone that administrators give, and lets them give it', async () => {
    const { id, theirs } = await linked(['staff'], { role: 'editor' });
    expect(await shown(id)).toMatchObject({ role: 'editor', role_source: null });

    expect((await put(id, { role: 'author' })).status).toBe(200);
    await come(theirs, theirs, ['editors']);

    expect(await shown(id)).toMatchObject({ role: 'author', role_source: null });
  });

  it('takes a role that the directory gave, and brings none back', async () => {
    const email = address('two');
    const id = await app.user(email);
    const session = await app.session(email);
    await come(email, email, ['editors'], session);
    const other = address('adm');
    await come(other, other, ['admins'], session);
    expect(await shown(id)).toMatchObject({ role: 'editor', role_source: 'oidc' });

    await come(other, other, ['staff']);
    expect(await shown(id)).toMatchObject({ role: 'viewer', role_source: 'oidc' });
    await come(other, other, ['editors']);
    expect(await shown(id)).toMatchObject({ role: 'viewer', role_source: 'oidc' });

    await come(email, email, ['editors']);
    expect(await shown(id)).toMatchObject({ role: 'editor', role_source: 'oidc' });
  });

  it('shuts the account out where it has no group, and does not let it in again', async () => {
    const { id, theirs } = await linked(['staff']);

    expectError(await come(theirs, theirs, []), 'role_not_granted');
    expect(await shown(id)).toMatchObject({ disabled: true, disabled_by: 'oidc' });
    expectError(await come(theirs, theirs, ['admins']), 'account_disabled');

    expect((await put(id, { disabled: false })).status).toBe(200);
    expect((await come(theirs, theirs, ['admins'])).body.user).toMatchObject({ id, role: 'viewer' });
  });

  it('gives the role once its address is that of the account, and goes on to when it changes', async () => {
    const { id, theirs, email } = await linked(['admins']);

    const same = await come(theirs, email, ['editors']);
    expect(same.body.user).toMatchObject({ id, role: 'editor' });

    const married = await come(theirs, address('married'), ['admins']);
    expect(married.body.user).toMatchObject({ id, role: 'admin' });
  });

  it('gives none by an address that the provider has not verified', async () => {
    const email = address('unverified');
    const id = await app.user(email);
    const session = await app.session(email);

    const answer = await come(`sub-${email}`, email, ['admins'], session, { email_verified: false });

    expect([answer.status, answer.body.user]).toMatchObject([200, { id, role: 'viewer' }]);
  });

  it('gives the role of an account that was made for it, whatever addresses both have later', async () => {
    const email = address('made');
    const { body } = await come(email, email, ['staff']);
    const id = body.user.id as number;
    expect((await put(id, { email: address('renamed') })).status).toBe(200);

    const answer = await come(email, address('elsewhere'), ['editors']);

    expect(answer.body.user).toMatchObject({ id, role: 'editor' });
  });
});
