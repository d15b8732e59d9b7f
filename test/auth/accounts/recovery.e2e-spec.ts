import { execute, type SqlValue } from '../../../src/database/statements/statement.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { expectError } from '../../support/errors.js';
import { tokenOf } from '../../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import { aPerson, login, PASSWORD, signedIn, type Person, type Tokens } from '../../support/sign-in.js';

const NEW = 'another long password';

interface Event {
  readonly event: string;
  readonly email: string | null;
  readonly details: Record<string, unknown> | null;
}

describe('Recovery of an account', () => {
  let service: MailedApp;

  beforeAll(async () => {
    service = await startMailedApp();
  });

  afterAll(() => service.close());

  const run = (sql: string, values: readonly SqlValue[] = []) =>
    service.app.get(UnitOfWork).run((manager) => execute(manager, sql, values));
  const forgot = (email: string) => service.anonymous().post('/api/auth/password/forgot').send({ email }).expect(200);
  const reset = (token: string) => service.anonymous().post('/api/auth/password/reset').send({ token, password: NEW });
  const put = (id: number, body: object) => service.http().put(`/api/users/${id}`).send(body).expect(200);
  const events = async (id: number): Promise<Event[]> =>
    (await service.http().get(`/api/admin/audit?user_id=${id}`).expect(200)).body.data;

  /** An account whose mailbox is proved, with a session and an API token of a thief. */
  async function taken(): Promise<{ person: Person; session: Tokens; apiToken: string }> {
    const person = await aPerson(service, { role: 'admin' });
    await forgot(person.email);
    await reset(tokenOf(await service.mailbox.next(person.email))).expect(200);
    const { body: session } = await login(service, person, NEW);
    const order = { name: 'thief', scopes: ['records:read'] };
    const made = await service.http(session.token).post('/api/admin/tokens').send(order).expect(201);
    await service.http(made.body.data.token).get('/api/auth/me').expect(200);
    return { person, session, apiToken: made.body.data.token };
  }

  async function allIsOver({ session, apiToken }: { session: Tokens; apiToken: string }): Promise<void> {
    expectError(await service.http(session.token).get('/api/auth/me'), 'invalid_token');
    expectError(await service.http(apiToken).get('/api/auth/me'), 'invalid_token');
    const refresh = { refresh_token: session.refresh_token };
    expectError(await service.anonymous().post('/api/auth/refresh').send(refresh), 'invalid_refresh_token');
  }

  /** A link whose mail has come. */
  async function pendingLink(person: Person): Promise<string> {
    await forgot(person.email);
    return tokenOf(await service.mailbox.next(person.email, /^A new password/));
  }

  /** Lets a second mail to the address leave at once. */
  const forgetCounters = () => run('DELETE FROM auth_counters');

  it('ends sessions and API tokens with a reset of the password', async () => {
    const thief = await taken();
    await forgetCounters();

    await reset(await pendingLink(thief.person)).expect(200);

    await allIsOver(thief);
  });

  it('ends sessions, API tokens and pending links where an administrator sets the password', async () => {
    const thief = await taken();
    await forgetCounters();
    const link = await pendingLink(thief.person);

    await put(thief.person.id, { password: `${NEW}!` });

    await allIsOver(thief);
    expectError(await reset(link), 'invalid_link');
    expect((await login(service, thief.person, `${NEW}!`)).status).toBe(200);
  });

  it('ends pending links with a password that its owner changes; the session that asks and tokens go on', async () => {
    const { person, session, apiToken } = await taken();
    await forgetCounters();
    const link = await pendingLink(person);

    const body = { current_password: NEW, password: `${NEW}!` };
    await service.http(session.token).post('/api/auth/password/change').send(body).expect(204);

    expectError(await reset(link), 'invalid_link');
    await service.http(session.token).get('/api/auth/me').expect(200);
    await service.http(apiToken).get('/api/auth/me').expect(200);
  });

  it('ends all sessions with a change of the address, and the audit has the former one', async () => {
    const ann = await aPerson(service);
    const { token } = await signedIn(service, ann);
    const email = `moved-${ann.id}@example.com`;

    await put(ann.id, { email });

    expectError(await service.http(token).get('/api/auth/me'), 'invalid_token');
    const [changed] = (await events(ann.id)).filter(({ event }) => event === 'user.updated');
    expect(changed).toMatchObject({ email, details: { fields: 'email', former_email: ann.email } });
    expect((await login(service, { email }, PASSWORD)).status).toBe(200);
  });

  it('refuses what everybody knows of the account as a password, by every way, and spends no link', async () => {
    const ann = await aPerson(service);
    const weak = ann.email.toUpperCase();
    const { token } = await signedIn(service, ann);
    await forgot(ann.email);
    const link = tokenOf(await service.mailbox.next(ann.email, /^A new password/));

    const answers = [
      await service.http().put(`/api/users/${ann.id}`).send({ password: weak }),
      await service
        .http()
        .post('/api/users')
        .send({ name: 'A long name 1', email: 'x@example.com', password: 'a long name 1' }),
      await service.http(token).post('/api/auth/password/change').send({ current_password: PASSWORD, password: weak }),
      await service.anonymous().post('/api/auth/password/reset').send({ token: link, password: weak }),
    ];

    for (const answer of answers) {
      expectError(answer, 'validation_failed');
      expect(answer.body.details).toMatchObject([{ field: 'password', rule: 'personal' }]);
    }
    await reset(link).expect(200);
  });

  describe('Signing out', () => {
    const logout = (bearer: string | null, refreshToken?: string) => {
      const request = bearer === null ? service.anonymous() : service.http(bearer);
      return request.post('/api/auth/logout').send(refreshToken === undefined ? {} : { refresh_token: refreshToken });
    };

    it('works with a good refresh token beside an access token that is over', async () => {
      const tokens = await signedIn(service, await aPerson(service));

      await logout('ey.stale.token', tokens.refresh_token).expect(204);

      const refresh = { refresh_token: tokens.refresh_token };
      expectError(await service.anonymous().post('/api/auth/refresh').send(refresh), 'invalid_refresh_token');
    });

    it('works with the cookie beside an access token that is over', async () => {
      const ann = await aPerson(service);
      const body = { email: ann.email, password: PASSWORD, mode: 'cookie' };
      const answer = await service.anonymous().post('/api/auth/login').send(body).expect(200);
      const [cookie = ''] = String(answer.headers['set-cookie']).split(';');

      await service.http('ey.stale.token').post('/api/auth/logout').set('Cookie', cookie).send({}).expect(204);

      expectError(await service.anonymous().post('/api/auth/refresh').set('Cookie', cookie), 'invalid_refresh_token');
    });

    it('is refused where both tokens are no good', async () => {
      const { token } = await signedIn(service, await aPerson(service));

      expectError(await logout('ey.stale.token'), 'invalid_token');
      expectError(await logout('ey.stale.token', 'cmsr_junk'), 'invalid_refresh_token');
      expectError(await logout(null), 'unauthorized');
      await service.http(token).get('/api/auth/me').expect(200);
    });
  });
});
