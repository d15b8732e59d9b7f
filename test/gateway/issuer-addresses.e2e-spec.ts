import { createHash } from 'node:crypto';
import { Reads } from '../../src/database/statements/reads.js';
import { expectError } from '../support/errors.js';
import { mailedCode, sendCode, verifyCode } from '../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../support/mailed-app.js';
import { TokenIssuer } from '../support/token-issuer.js';

const SECRET = 'k7Jd02mQx94LpTz8VwBn3RyHs6GfC1eA';
const NO_ADDRESS = /^[0-9a-f]{32}@(?:corp|gateway)\.invalid$/;

interface Person {
  readonly id: number;
  readonly email: string;
  readonly email_verified: boolean;
}

describe('An address that comes from outside', () => {
  let issuer: TokenIssuer;
  let service: MailedApp;

  beforeAll(async () => {
    issuer = await TokenIssuer.start();
  });

  afterEach(() => service.close());
  afterAll(() => issuer.stop());

  const start = async (trust: object, environment: Record<string, string> = {}) => {
    const users = { groups: { map: { readers: 'viewer' } }, ...trust };
    const gateway = {
      TRUST_PROXY: '127.0.0.0/8',
      GATEWAY_SECRET: SECRET,
      GATEWAY_USERS: JSON.stringify(users),
    };
    service = await startMailedApp({ ...issuer.environment(trust), ...gateway, ...environment });
  };

  /** The account of a person with a token of the issuer. */
  async function byToken(sub: string, claims: object = {}): Promise<Person> {
    const token = await issuer.sign({ sub, email: `${sub}@example.com`, email_verified: true, ...claims });
    const { body } = await service.http(token).get('/api/auth/me').expect(200);
    return user(body.data.user.id);
  }

  /** The account of a person whom the gateway names. */
  async function byHeaders(name: string): Promise<Person> {
    const headers = {
      'X-Gateway-Secret': SECRET,
      'X-Forwarded-User': name,
      'X-Forwarded-Email': `${name}@example.com`,
      'X-Forwarded-Groups': 'readers',
    };
    const { body } = await service.anonymous().get('/api/auth/me').set(headers).expect(200);
    return user(body.data.user.id);
  }

  const user = async (id: number) => (await service.http().get(`/api/users/${id}`).expect(200)).body as Person;
  const identitiesOf = async (id: number) =>
    (await service.http().get(`/api/users/${id}/identities`).expect(200)).body.data as object[];

  it.each([
    ['an issuer', byToken],
    ['a gateway', byHeaders],
  ])('of %s opens no account by mail where users are invited, and administrators see it', async (_, arrive) => {
    await start({}, { SIGNUP: 'closed' });

    const person = await arrive('ann');
    await sendCode(service, 'ann@example.com');
    await sendCode(service, person.email);

    expect(person).toMatchObject({ email: expect.stringMatching(NO_ADDRESS), email_verified: false });
    expect(await identitiesOf(person.id)).toEqual([expect.objectContaining({ email: 'ann@example.com' })]);
    const invited = { name: 'Ann', email: 'ann@example.com' };
    expect((await service.http().post('/api/users').send(invited).expect(201)).body.id).not.toBe(person.id);
  });

  it('is kept from the account where only some domains may sign up, too', async () => {
    await start({}, { SIGNUP: 'domains:example.com' });

    expect((await byToken('ann')).email).toMatch(NO_ADDRESS);
  });

  it.each([
    ['an issuer', byToken],
    ['a gateway', byHeaders],
  ])(
    'of %s stays unproved where all may sign up, and the reader of the mailbox gets the account',
    async (_, arrive) => {
      await start({}, { SIGNUP: 'open' });
      const before = await arrive('ann');

      const { code } = await mailedCode(service, service.mailbox, 'ann@example.com');
      const { body } = (await verifyCode(service, 'ann@example.com', code)) as { body: { user: Person } };
      const after = await arrive('ann');

      expect(before).toMatchObject({ email: 'ann@example.com', email_verified: false });
      expect(body.user).toMatchObject({ id: before.id, email_verified: true });
      expect(await identitiesOf(before.id)).toEqual([]);
      expect(after.id).not.toBe(before.id);
      expect(after.email).toMatch(NO_ADDRESS);
    },
  );

  it.each([
    ['an issuer', byToken],
    ['a gateway', byHeaders],
  ])('of %s is proved where the operator vouches for it', async (_, arrive) => {
    await start({ email_trusted: true });
    const before = await arrive('ann');

    const { code } = await mailedCode(service, service.mailbox, 'ann@example.com');
    await verifyCode(service, 'ann@example.com', code);

    expect(before).toMatchObject({ email: 'ann@example.com', email_verified: true });
    expect((await arrive('ann')).id).toBe(before.id);
  });

  it('may come without email_verified where the operator vouches for it, and not with another value than true', async () => {
    await start({ email_trusted: true });

    expect(await byToken('ann', { email_verified: undefined })).toMatchObject({ email: 'ann@example.com' });
    for (const [at, flag] of [false, 'true', null, 1].entries()) {
      expect((await byToken(`p${at}`, { email_verified: flag })).email).toMatch(NO_ADDRESS);
    }
  });

  it.each([{ email_trusted: true }, {}])('opens no account that has it already, with %p', async (trust) => {
    await start(trust, { SIGNUP: 'open' });
    const old = { name: 'Ann', email: 'ann@example.com', role: 'editor' };
    const { id } = (await service.http().post('/api/users').send(old).expect(201)).body as Person;

    expect((await byToken('ann')).email).toMatch(NO_ADDRESS);
    expect((await byHeaders('ann')).email).toMatch(NO_ADDRESS);

    expect(await user(id)).toMatchObject({ email: 'ann@example.com', email_verified: false });
    expect(await identitiesOf(id)).toEqual([]);
  });

  it('is that of one account where several people come with it at once', async () => {
    await start({ email_trusted: true });

    const people = await Promise.all(
      Array.from({ length: 6 }, (_, n) => byToken(`p${n}`, { email: 'office@example.com' })),
    );

    expect(new Set(people.map(({ id }) => id)).size).toBe(6);
    expect(people.filter(({ email }) => email === 'office@example.com')).toHaveLength(1);
  });

  it('keeps no one out who has none: another account may have the address that theirs would have had', async () => {
    await start({}, { SIGNUP: 'closed' });
    const placeholder = `${createHash('sha256').update('ann').digest('hex').slice(0, 32)}@corp.invalid`;
    await service.http().post('/api/users').send({ name: 'Eve', email: placeholder }).expect(201);

    const before = await byToken('ann');
    const [identity] = (await identitiesOf(before.id)) as { readonly id: number }[];
    await service.http().delete(`/api/users/${before.id}/identities/${identity?.id}`).expect(204);
    const after = await byToken('ann');

    expect(before.email).toMatch(NO_ADDRESS);
    expect(after.email).toMatch(NO_ADDRESS);
    expect(after.id).not.toBe(before.id);
  });

  it('of a disabled account is not invited, since that would leave its person to be given another account', async () => {
    await start({}, { SIGNUP: 'open' });
    const { id } = await byToken('ann');
    await service.http().put(`/api/users/${id}`).send({ disabled: true }).expect(200);

    const invited = await service.http().post('/api/auth/invitations').send({
      name: 'Ann',
      email: 'ann@example.com',
      role: 'viewer',
    });

    expectError(invited, 'account_disabled');
    const token = await issuer.sign({ sub: 'ann', email: 'ann@example.com', email_verified: true });
    expectError(await service.http(token).get('/api/auth/me'), 'account_disabled');
  });

  it('that is not proved grows no role by an administrator', async () => {
    await start({}, { SIGNUP: 'open' });
    const { id } = await byToken('ann', { groups: ['readers'] });

    expectError(await service.http().put(`/api/users/${id}`).send({ role: 'editor' }), 'validation_failed');
  });

  it('where no mail arrives gets no notice', async () => {
    await start({ groups: { claim: 'groups', map: { admins: 'admin' } }, fresh: true });
    const person = await byToken('ann', { groups: ['admins'] });
    const token = await issuer.sign({ sub: 'ann', groups: ['admins'] });
    const order = { name: 'ci', scopes: ['records:read'], kind: 'service' };

    await service.http(token).post('/api/admin/tokens').send(order).expect(201);

    expect(person.email).toMatch(NO_ADDRESS);
    const sql = 'SELECT COUNT(*) AS n FROM mail_queue';
    const [row] = await service.app.get(Reads).select<{ n: number | string }>(sql, []);
    expect([Number(row?.n), await service.mailbox.mailsTo(person.email)]).toEqual([0, []]);
  });
});
