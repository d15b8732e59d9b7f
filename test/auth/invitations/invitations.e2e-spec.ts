import { MailedLinks } from '../../../src/auth/proofs/challenges/mailed-links.js';
import { putClockAhead } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { tokenOf } from '../../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import type { Mailbox } from '../../support/mailbox.js';
import { aPerson, login, proved, signedIn } from '../../support/sign-in.js';
import { startTestApp, TOKENS } from '../../support/test-app.js';

const PASSWORD = 'a very own password';

describe('An invitation', () => {
  let service: MailedApp;
  let mailbox: Mailbox;
  let people = 0;

  beforeAll(async () => {
    service = await startMailedApp({ MAIL_FROM: 'Linden Hill <no-reply@example.com>' });
    ({ mailbox } = service);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const invite = (fields: object, token: string = TOKENS.admin) =>
    service
      .http(token)
      .post('/api/auth/invitations')
      .send({ name: 'Ann', role: 'editor', ...fields });
  const accept = (body: object) => service.anonymous().post('/api/auth/invitations/accept').send(body);

  async function invited(fields: object = {}): Promise<{ readonly email: string; readonly token: string }> {
    people += 1;
    const email = `guest${people}@example.com`;
    const { status, headers, body } = await invite({ email, ...fields });
    expect([status, headers.location, body.expires_in]).toEqual([201, `/api/users/${body.user.id}`, 604_800]);
    return { email, token: tokenOf(await mailbox.next(email)) };
  }

  it('makes a user who is let in by the link of the mail, once, with a name and a password of their own', async () => {
    const { email, token } = await invited();

    const answer = await accept({ token, name: 'Ann Example', password: PASSWORD });

    const user = { email, name: 'Ann Example', role: 'editor', email_verified: true };
    expect([answer.status, answer.body]).toMatchObject([200, { token_type: 'Bearer', user }]);
    const me = await service.http(answer.body.token as string).get('/api/auth/me');
    expect(me.body.data.session.amr).toEqual(['link']);
    expect((await login(service, { email }, PASSWORD)).status).toBe(200);
    expectError(await accept({ token }), 'invalid_link');
  });

  it('says who invites, to what and as what; a service token is nobody', async () => {
    const ada = await aPerson(service, { name: 'Ada Moreau', role: 'admin' });
    await proved(service, ada);
    const { token } = await signedIn(service, ada);

    await invite({ email: 'named@example.com' }, token).expect(201);
    await invite({ email: 'unnamed@example.com', role: 'viewer' }).expect(201);

    const [named, unnamed] = [await mailbox.next('named@example.com'), await mailbox.next('unnamed@example.com')];
    expect([named.subject, unnamed.subject]).toEqual([
      'Ada Moreau invites you to Linden Hill',
      'You are invited to Linden Hill',
    ]);
    expect(named.text).toMatch(/^Ada Moreau invites you to Linden Hill, as an editor\. Open this link to begin:\n/);
    expect(unnamed.text).toMatch(/^You are invited to Linden Hill, as a viewer\. Open this link to begin:\n/);
    expect(named.raw).toContain('Linden Hill <no-reply@');
  });

  it('can be sent again to a user who has not come, which ends the one before, and not to one who has', async () => {
    const { email, token } = await invited();

    const again = await invite({ email, name: 'Anna', role: 'author' });
    expect([again.status, again.body.user]).toMatchObject([201, { name: 'Anna', role: 'author' }]);
    expectError(await accept({ token }), 'invalid_link');
    expect((await accept({ token: tokenOf(await mailbox.next(email)) })).status).toBe(200);

    expectError(await invite({ email }), 'email_taken');
  });

  it('is good for seven days and not for longer', async () => {
    const [one, other] = [await invited(), await invited()];
    const DAY = 86_400;

    putClockAhead(service, 6.9 * DAY);
    expect((await accept({ token: one.token })).status).toBe(200);
    putClockAhead(service, 7.1 * DAY);
    expectError(await accept({ token: other.token }), 'invalid_link');
  });

  it('lets one in when it is accepted ten times at once', async () => {
    const { token } = await invited();

    const answers = await Promise.all(Array.from({ length: 10 }, () => accept({ token })));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is sent to a user who is invited by several at once, and the last one is good', async () => {
    const email = 'popular@example.com';

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => invite({ email, name: `Ann ${index}` })),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const tokens: string[] = [];
    while (tokens.length < answers.length) tokens.push(tokenOf(await mailbox.next(email)));
    const accepted = await Promise.all(tokens.map((token) => accept({ token })));
    expect(accepted.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('leaves no account where its link could not be made', async () => {
    jest.spyOn(service.app.get(MailedLinks), 'send').mockRejectedValueOnce(new Error('killed'));

    expect((await invite({ email: 'nobody@example.com' })).status).toBe(500);

    const { body } = await service.http().get('/api/users');
    expect(JSON.stringify(body)).not.toContain('nobody@example.com');
  });

  it('is not sent by those who may not manage users, nor into a role above their own', async () => {
    expectError(await invite({ email: 'x@example.com' }, TOKENS.editor), 'insufficient_scope');
    const { body } = await service
      .http()
      .post('/api/admin/tokens')
      .send({ name: 'manager', scopes: ['users:write', 'records:read'] });
    const manager = body.data.token as string;

    expectError(await invite({ email: 'x@example.com', role: 'admin' }, manager), 'insufficient_scope');
    expect((await invite({ email: 'viewer@example.com', role: 'viewer' }, manager)).status).toBe(201);
    const { email } = await invited({ role: 'admin' });
    expectError(await invite({ email, role: 'viewer' }, manager), 'insufficient_scope');
  });

  it('takes from an account what others had of it before', async () => {
    people += 1;
    const email = `guest${people}@example.com`;
    await service.http().post('/api/users').send({ name: 'Eve', email, password: PASSWORD }).expect(201);
    const early = await tokenFor(email);
    await invite({ email });

    expect((await accept({ token: tokenOf(await mailbox.next(email, /invited/)) })).status).toBe(200);

    expectError(await service.http(early).get('/api/auth/me'), 'invalid_token');
    expectError(await login(service, { email }, PASSWORD), 'invalid_credentials');
  });

  it('can be accepted without any console, with a password or without one', async () => {
    const [one, other] = [await invited(), await invited()];
    const post = (fields: object) => service.anonymous().post('/api/auth/invitations/accept').type('form').send(fields);

    const open = () => service.anonymous().get(`/api/auth/invitations/accept?token=${one.token}&utm_source=mail`);
    const page = await open();
    expect([page.status, page.type]).toEqual([200, 'text/html']);
    const welcome = await post({ token: one.token, password: '' });
    expect([welcome.status, welcome.type]).toEqual([200, 'text/html']);
    expect(String(welcome.headers['set-cookie'])).toContain('cms_refresh=');
    expectError(await open(), 'link_over');
    expect((await post({ token: other.token, password: PASSWORD })).status).toBe(200);

    expect((await login(service, other, PASSWORD)).status).toBe(200);
  });

  it('takes no password where none is used to sign in, and is not spent by that', async () => {
    const { email, token } = await invited();
    const { url } = service.database;
    const other = await startTestApp({ ...mailbox.environment, DATABASE_URL: url, AUTH_METHODS: 'otp' });
    const acceptThere = (body: object) => other.anonymous().post('/api/auth/invitations/accept').send(body);

    const page = await other.anonymous().get(`/api/auth/invitations/accept?token=${token}`);
    const answers = [await acceptThere({ token, password: PASSWORD }), await acceptThere({ token })];

    await other.close();
    expect(answers.map(({ status }) => status)).toEqual([422, 200]);
    expect(answers[0]?.body.details).toMatchObject([{ field: 'password', rule: 'switched_off' }]);
    expect(page.text).not.toContain('password');
    expectError(await login(service, { email }, PASSWORD), 'invalid_credentials');
  });

  async function tokenFor(email: string): Promise<string> {
    const { body } = await login(service, { email }, PASSWORD);
    return body.token as string;
  }
});
