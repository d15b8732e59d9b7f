import { execute } from '../../../src/database/statements/statement.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { putClockAhead } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { mailedCode, tokenOf, verifyCode } from '../../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import { twinOf } from '../../support/twin.js';
import { aPerson, login, PASSWORD, proved, signedIn, type Person, type Tokens } from '../../support/sign-in.js';

const NEW = 'another long password';
const PATH = '/api/auth/lock-down';

interface Event {
  readonly event: string;
  readonly details: Record<string, unknown> | null;
}

describe('Locking an account down', () => {
  let service: MailedApp;

  beforeAll(async () => {
    service = await startMailedApp();
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const put = (id: number, body: object) => service.http().put(`/api/users/${id}`).send(body).expect(200);
  const lock = (token: unknown) => service.anonymous().post(PATH).send({ token });
  const locked = async (id: number): Promise<Event[]> =>
    (await service.http().get(`/api/admin/audit?user_id=${id}&event=account.locked_down`).expect(200)).body.data;

  /** A user with everything that opens an account, and the link of a notice. */
  async function noticed(): Promise<{ person: Person; session: Tokens; apiToken: string; link: string }> {
    const person = await aPerson(service, { role: 'editor' });
    await proved(service, person);
    await put(person.id, { role: 'admin' });
    const link = tokenOf(await service.mailbox.next(person.email));
    const session = await signedIn(service, person);
    const made = await service
      .http(session.token)
      .post('/api/admin/tokens')
      .send({ name: 'thief', scopes: ['records:read'] })
      .expect(201);
    await service.app
      .get(UnitOfWork)
      .run((manager) =>
        execute(
          manager,
          "INSERT INTO auth_identities (provider, subject, user_id, created_at, last_used_at) VALUES ('google', ?, ?, 1, 1)",
          [`sub-${person.id}`, person.id],
        ),
      );
    return { person, session, apiToken: made.body.data.token, link };
  }

  async function isShut({ person, session, apiToken }: Awaited<ReturnType<typeof noticed>>): Promise<void> {
    expectError(await service.http(session.token).get('/api/auth/me'), 'invalid_token');
    expectError(await service.http(apiToken).get('/api/auth/me'), 'invalid_token');
    expectError(await login(service, person), 'invalid_credentials');
    const [event] = await locked(person.id);
    expect(event?.details).toMatchObject({ password: true, sessions: 1, tokens: 1, identities: 1 });
  }

  it('by the link of a notice ends everything, once, and mails the way back', async () => {
    const ann = await noticed();

    const answer = await lock(ann.link).expect(200);

    expect(answer.body).toEqual({ message: expect.stringContaining('a new password is on its way') as string });
    await isShut(ann);
    expectError(await lock(ann.link), 'invalid_link');
    const letter = await service.mailbox.next(ann.person.email, /is locked down$/);
    expect([letter.link, letter.text]).toEqual([
      '',
      expect.stringContaining('the password, 1 session, 1 linked identity, 1 personal API token'),
    ]);
    const token = tokenOf(await service.mailbox.next(ann.person.email, /^Set a new password/));
    await service.anonymous().post('/api/auth/password/reset').send({ token, password: NEW }).expect(200);
    expect((await login(service, ann.person, NEW)).status).toBe(200);
  });

  it('by a signed-in user does the same', async () => {
    const ann = await noticed();

    await service.http(ann.session.token).post('/api/auth/security/lock-down').expect(200);

    await isShut(ann);
    expectError(await service.http().post('/api/auth/security/lock-down'), 'invalid_token');
    await service.mailbox.next(ann.person.email, /^Set a new password/);
  });

  it('is not for a session that another process has ended', async () => {
    const ann = await noticed();
    const twin = await twinOf(service);
    const own = twin.http(ann.session.token);
    const before = await own.get('/api/auth/me');
    await service.http().delete(`/api/users/${ann.person.id}/sessions`).expect(204);
    const answer = await own.post('/api/auth/security/lock-down');
    await twin.close();

    expect(before.status).toBe(200);
    expectError(answer, 'invalid_token');
    expect((await login(service, ann.person)).status).toBe(200);
    expect(await locked(ann.person.id)).toEqual([]);
  });

  it('asks first: looking at the page spends nothing, and its button locks', async () => {
    const ann = await noticed();

    for (const method of ['get', 'head', 'get'] as const)
      await service.anonymous()[method](`${PATH}?token=${ann.link}&utm_source=mail`).expect(200);
    const page = await service.anonymous().get(`${PATH}?token=${ann.link}`);
    expect(page.text).toMatch(/<form method="post" action="lock-down">/);
    await service.http(ann.session.token).get('/api/auth/me').expect(200);
    const done = await service.anonymous().post(PATH).type('form').send({ token: ann.link }).expect(200);

    expect([done.type, done.text]).toEqual(['text/html', expect.stringContaining('Your account is locked down')]);
    expect(done.text).toContain('<a href="../../">Go to the start page</a>');
    expectError(await service.anonymous().get(`${PATH}?token=${ann.link}`), 'link_over');
    await isShut(ann);
  });

  it('holds for seven days, whatever mails come after it', async () => {
    const [ann, bea] = [await noticed(), await noticed()];
    await put(ann.person.id, { password: NEW });

    putClockAhead(service, 7 * 86_400 - 60);
    await lock(ann.link).expect(200);
    putClockAhead(service, 7 * 86_400 + 60);
    expectError(await lock(bea.link), 'invalid_link');
  });

  it('from a former address ends as much, and mails nothing to the present one that opens it', async () => {
    const ann = await noticed();
    const email = `thief-${ann.person.id}@example.com`;
    await put(ann.person.id, { email });
    const { link } = await service.mailbox.next(ann.person.email, /^Your address/);

    const { body } = await lock(tokenOf({ link })).expect(200);

    expect(body.message).toContain('ask an administrator');
    expectError(await service.http(ann.apiToken).get('/api/auth/me'), 'invalid_token');
    expectError(await login(service, { email }, PASSWORD), 'invalid_credentials');
    const [event] = await locked(ann.person.id);
    expect(event?.details).toMatchObject({ by: 'link', address: 'former' });
    await service.mailbox.next(email, /is locked down$/);
    expect((await service.mailbox.mailsTo(email)).map(({ subject }) => subject).join()).not.toContain(
      'Set a new password',
    );
  });

  it('from a former address happens once, however many notices went there, and its owner comes back', async () => {
    const ann = await noticed();
    const email = `new-${ann.person.id}@example.com`;
    await put(ann.person.id, { email });
    const { link } = await service.mailbox.next(ann.person.email, /^Your address/);
    await put(ann.person.id, { role: 'editor' });
    const present = tokenOf(await service.mailbox.next(email, /^Your role/));

    await lock(tokenOf({ link })).expect(200);
    const { code } = await mailedCode(service, service.mailbox, email);
    await verifyCode(service, email, code);

    expectError(await lock(ann.link), 'invalid_link');
    await service.anonymous().post('/api/auth/password/forgot').send({ email }).expect(200);
    const token = tokenOf(await service.mailbox.next(email, /password/i));
    await service.anonymous().post('/api/auth/password/reset').send({ token, password: NEW }).expect(200);
    expect((await login(service, { email }, NEW)).status).toBe(200);
    expect(await locked(ann.person.id)).toHaveLength(1);
    await lock(present).expect(200);
  });

  it('promises the end of personal tokens, and names the service tokens that go on', async () => {
    const ann = await noticed();
    const order = { name: 'robot', kind: 'service', scopes: ['*'] };
    const made = await service.http(ann.session.token).post('/api/admin/tokens').send(order).expect(201);
    const letter = await service.mailbox.next(ann.person.email, /^An API token was made/);
    const { hint, token } = made.body.data as { hint: string; token: string };
    const page = await service.anonymous().get(`${PATH}?token=${ann.link}`);

    const answer = await lock(ann.link).expect(200);

    const goesOn = expect.stringContaining(`1 service token made with the account goes on: ${hint}.`) as string;
    expect([page.text, letter.text]).toEqual(Array(2).fill(expect.stringContaining('personal API tokens end')));
    expect(answer.body).toEqual({ message: goesOn });
    expect((await service.mailbox.next(ann.person.email, /is locked down$/)).text.replace(/\s+/g, ' ')).toEqual(goesOn);
    await service.http(token).get('/api/records/articles').expect(404);
  });

  it('happens once when a link is used ten times at once', async () => {
    const ann = await noticed();

    const answers = await Promise.all(Array.from({ length: 10 }, () => lock(ann.link)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await locked(ann.person.id)).toHaveLength(1);
  });

  it.each(['x'.repeat(43), 'short', 7, null])('refuses the token %p', async (token) => {
    expectError(await lock(token), typeof token === 'string' ? 'invalid_link' : 'validation_failed');
  });
});
