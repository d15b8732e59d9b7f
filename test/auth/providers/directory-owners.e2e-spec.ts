import { Identities } from '../../../src/auth/proofs/provider/identity/identities.js';
import { Dialect } from '../../../src/database/dialect/dialect.js';
import { expectError } from '../../support/errors.js';
import { LinkedApp, STAFF } from '../../support/linked-app.js';
import { mailedCode, tokenOf, verifyCode } from '../../support/mail-sign-in.js';
import { PASSWORD } from '../../support/sign-in.js';

const ADMINS_OR_VIEWERS = '{"groups":{"map":{"admins":"admin"}},"default_role":"viewer"}';
const PLACEHOLDER = /^[0-9a-f]{32}@oidc\.invalid$/;

let count = 0;
const address = (name: string) => `${name}.${(count += 1)}@corp.example`;

/** What these tests do with a service whose directory gives roles. */
class Company {
  private constructor(readonly app: LinkedApp) {}

  static async start(environment: Record<string, string>): Promise<Company> {
    return new Company(await LinkedApp.start({ OIDC_USERS: ADMINS_OR_VIEWERS, SIGNUP: 'open', ...environment }));
  }

  come(email: string, groups: string[], more: object = {}) {
    return this.app.token('oidc', { sub: email, email, groups, ...more });
  }

  async shown(id: number) {
    return (await this.app.service.http().get(`/api/users/${id}`).expect(200)).body as Record<string, unknown>;
  }

  /** A user whom the directory knows, and whose address a token of the strength of a viewer has changed. */
  async moved() {
    const [boss, evil] = [address('boss'), address('evil')];
    const { body } = await this.come(boss, []);
    const id = body.user.id as number;
    await this.app.service.http(STAFF).put(`/api/users/${id}`).send({ email: evil }).expect(200);
    return { id, boss, evil };
  }

  /** An admin by the directory, whose address is proved as far as it speaks for addresses. */
  async admin() {
    const email = address('admin');
    const { body } = await this.come(email, ['admins']);
    expect(body.user).toMatchObject({ role: 'admin', email });
    return { id: body.user.id as number, email, token: body.token as string };
  }

  async prove(email: string) {
    const { code } = await mailedCode(this.app.service, this.app.mailbox, email);
    return verifyCode(this.app.service, email, code);
  }

  /** Leaves one admin who can act. */
  async alone(id: number) {
    await this.app.write("UPDATE users SET disabled_at = 1 WHERE role = 'admin' AND id <> ?", id);
  }

  async unlink(id: number) {
    const { body } = await this.app.service.http().get(`/api/users/${id}/identities`);
    return this.app.service.http().delete(`/api/users/${id}/identities/${body.data[0].id}`);
  }
}

describe.each([
  ['speaks', 'true'],
  ['does not speak', 'false'],
])('Where the directory %s for addresses, an account whose address others have changed', (_, trusted) => {
  let company: Company;

  beforeAll(async () => {
    company = await Company.start({ OIDC_TRUST_EMAIL: trusted });
  });
  afterAll(() => company.app.stop());

  it.each(['with other admins', 'as the only admin'])(
    'gets that of the directory with its role, and is not that of who proves the other one: %s',
    async (which) => {
      const { id, boss, evil } = await company.moved();

      const grown = await company.come(boss, ['admins']);
      if (which === 'as the only admin') await company.alone(id);
      const proved = await company.prove(evil);

      expect(grown.body.user).toMatchObject({ id, role: 'admin', email: boss, email_verified: trusted === 'true' });
      expect(proved.body.user).toMatchObject({ role: 'viewer', email: evil });
      expect(proved.body.user.id).not.toBe(id);
      expect((await company.come(boss, ['admins'])).body.user).toMatchObject({ id, role: 'admin' });
    },
  );

  it('gets one at which no mail arrives where that of the directory is taken, or the directory has verified none', async () => {
    const [taken, unverified] = [await company.moved(), await company.moved()];
    await company.app.user(taken.boss);

    const first = await company.come(taken.boss, ['admins']);
    const second = await company.come(unverified.boss, ['admins'], { email_verified: false });

    const user = { role: 'admin', email: expect.stringMatching(PLACEHOLDER), email_verified: false };
    expect([first.body.user, second.body.user]).toMatchObject([
      { ...user, id: taken.id },
      { ...user, id: unverified.id },
    ]);
    expect((await company.prove(taken.evil)).body.user.id).not.toBe(taken.id);
  });

  it('is held still together with all admins before its identity is, where it is about to get an address', async () => {
    const { id, boss } = await company.moved();
    const other = await company.app.user(boss);
    await company.come(boss, ['admins']);
    const { id: admin } = await company.admin();
    await company.app.service
      .http()
      .put(`/api/users/${other}`)
      .send({ email: address('moved.away') })
      .expect(200);
    const { app } = company.app.service;
    const held = jest.spyOn(app.get(Dialect, { strict: false }), 'hold');
    const used = jest.spyOn(app.get(Identities, { strict: false }), 'use');

    await company.come(boss, ['admins']);
    const [identityAt = 0] = used.mock.invocationCallOrder;
    const users = held.mock.calls
      .map(([, table, { values }], n) => ({ table, values, at: held.mock.invocationCallOrder[n] ?? 0 }))
      .filter(({ table }) => table === 'users');
    held.mockRestore();
    used.mockRestore();
    const before = new Set(users.filter(({ at }) => at < identityAt).flatMap(({ values }) => values));
    const later = users.filter(({ at }) => at > identityAt).flatMap(({ values }) => values);

    expect(before).toContain(id);
    expect(before.has(admin)).toBe(trusted === 'true');
    expect(later.filter((user) => !before.has(user))).toEqual([]);
  });

  it('gets that of the directory at a later sign-in, where that is free by then and the directory speaks for it', async () => {
    const { id, boss } = await company.moved();
    const other = await company.app.user(boss);
    const signIn = async () => (await company.come(boss, ['admins'])).body as { user: object; token: string };
    const former = await signIn();
    expect(former.user).toMatchObject({ id, email: expect.stringMatching(PLACEHOLDER) });
    expect((await signIn()).user).toMatchObject({ id, email: expect.stringMatching(PLACEHOLDER) });
    await company.app.service
      .http()
      .put(`/api/users/${other}`)
      .send({ email: address('moved.on') })
      .expect(200);

    const later = await signIn();

    if (trusted === 'false') {
      expect(later.user).toMatchObject({ id, email: expect.stringMatching(PLACEHOLDER), email_verified: false });
      return;
    }
    expect(later.user).toMatchObject({ id, role: 'admin', email: boss, email_verified: true });
    expect((await company.app.service.http(later.token).get('/api/auth/me')).status).toBe(200);
    expectError(await company.app.service.http(former.token).get('/api/auth/me'), 'invalid_token');
    const { body } = await company.app.service
      .http()
      .get(`/api/admin/audit?event=user.updated&user_id=${id}`)
      .expect(200);
    expect((body.data as object[])[0]).toMatchObject({
      actor: { name: 'provider:oidc' },
      details: { fields: 'email', former_email: expect.stringMatching(PLACEHOLDER), by: 'oidc' },
    });
  });

  it('tells its owner alone, and no link that was mailed to the other address locks it down', async () => {
    const { id, boss, evil } = await company.moved();
    const token = tokenOf(await company.app.mailbox.next(evil, /^Your address/));
    const former = tokenOf(await company.app.mailbox.next(boss, /^Your address/));

    await company.come(boss, ['admins']);

    const notice = await company.app.mailbox.next(boss, /^Your address/);
    expect(notice.text.replace(/\s+/g, ' ')).toContain(`Its e-mail address is ${boss} now; it was ${evil}.`);
    expect(await company.app.mailbox.mailsTo(evil)).toHaveLength(1);
    const lockDown = (link: string) =>
      company.app.service.anonymous().post('/api/auth/lock-down').send({ token: link });
    expectError(await lockDown(token), 'invalid_link');
    expect(await company.shown(id)).toMatchObject({ role: 'admin' });
    expect((await lockDown(former)).status).toBe(200);
  });
});

describe('The admin by a directory that does not speak for addresses', () => {
  let company: Company;

  beforeAll(async () => {
    company = await Company.start({ OIDC_TRUST_EMAIL: 'false' });
  });
  beforeEach(() => company.app.user(address('break.glass'), { role: 'admin' }));
  afterAll(() => company.app.stop());

  it('opens to no one who proves the address by a code, as long as no other admin can act', async () => {
    const { id, email, token } = await company.admin();
    await company.alone(id);

    const { code } = await mailedCode(company.app.service, company.app.mailbox, email);
    const refused = await verifyCode(company.app.service, email, code);
    expectError(refused, 'last_admin');
    expect(refused.body.message).toContain('directory');
    expect(await company.shown(id)).toMatchObject({ role: 'admin', role_source: 'oidc', email_verified: false });
    expect((await company.app.service.http(token).get('/api/auth/me')).status).toBe(200);

    await company.app.user(address('other'), { role: 'admin' });
    const { body } = await verifyCode(company.app.service, email, code);
    expect(body.user).toMatchObject({ id, role: 'viewer' });
  });

  it('gets no password by a mail to that address either', async () => {
    const { id, email } = await company.admin();
    await company.alone(id);
    const agent = company.app.service.anonymous();
    await agent.post('/api/auth/password/forgot').send({ email }).expect(200);
    const token = tokenOf(await company.app.mailbox.next(email, /password/));

    expectError(await agent.post('/api/auth/password/reset').send({ token, password: PASSWORD }), 'last_admin');
    expect((await company.come(email, ['admins'])).body.user).toMatchObject({ id, role: 'admin' });
  });

  it('is a viewer once the identity is unlinked, and so is who proves the address', async () => {
    const { id, email } = await company.admin();

    expect((await company.unlink(id)).status).toBe(204);

    expect(await company.shown(id)).toMatchObject({ role: 'viewer', role_source: null });
    expect((await company.prove(email)).body.user).toMatchObject({ id, role: 'viewer' });
  });

  it('keeps the identity as the last one who can act', async () => {
    const { id, email } = await company.admin();
    await company.alone(id);

    expectError(await company.unlink(id), 'last_admin');
    expect((await company.come(email, ['admins'])).body.user).toMatchObject({ id, role: 'admin' });
  });

  it.each(['OIDC_USERS={"groups":{"map":{"admins":"admin"}}}', 'OIDC_USERS='])(
    'is a viewer after a lock-down, also as the last one: %s',
    async (setting) => {
      const { id, email, token } = await company.admin();
      await company.alone(id);
      const users = setting.slice('OIDC_USERS='.length);
      const beside = await LinkedApp.start({ OIDC_USERS: users, SIGNUP: 'open' }, company.app);

      const { status } = await beside.service.http(token).post('/api/auth/security/lock-down');
      await beside.stop();

      expect([status, await company.shown(id)]).toMatchObject([200, { role: 'viewer', role_source: null }]);
      expect((await company.prove(email)).body.user).toMatchObject({ id, role: 'viewer' });
    },
  );

  it('comes back after a lock-down by mail, and is an admin again with the identity', async () => {
    const { id, email, token } = await company.admin();
    await company.alone(id);
    await company.app.service.http(token).post('/api/auth/security/lock-down').expect(200);

    const { body } = await company.prove(email);
    const claims = { sub: email, email, groups: ['admins'] };
    const linked = await company.app.token('oidc', claims, body.token as string);

    expect(linked.body.user).toMatchObject({ id, role: 'admin', email_verified: true });
  });

  it('stays one where a new provider speaks for the address, as the last one too', async () => {
    const { id, email } = await company.admin();
    await company.alone(id);
    await company.app.write("UPDATE auth_identities SET issuer = 'https://former.example' WHERE user_id = ?", id);
    const settings = { OIDC_USERS: ADMINS_OR_VIEWERS, OIDC_TRUST_EMAIL: 'true' };
    const beside = await LinkedApp.start(settings, company.app);
    const come = (groups?: string[]) => beside.token('oidc', { sub: `new-${email}`, email, groups });

    const [silent, lesser, same] = [await come(), await come([]), await come(['admins'])];
    await beside.stop();

    for (const refused of [silent, lesser]) expectError(refused, 'last_admin');
    expect(same.body.user).toMatchObject({ id, role: 'admin', email_verified: true });
    expect(await company.app.identities(id)).toEqual([`oidc new-${email}`]);
  });
});
