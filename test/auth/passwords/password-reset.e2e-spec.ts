import { Reads } from '../../../src/database/statements/reads.js';
import { stopClock } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { tokenOf } from '../../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import type { Mailbox } from '../../support/mailbox.js';
import { aPerson, login, PASSWORD, signedIn } from '../../support/sign-in.js';
import { startTestApp } from '../../support/test-app.js';

const NEW = 'another long password';

describe('A forgotten password', () => {
  let service: MailedApp;
  let mailbox: Mailbox;

  beforeAll(async () => {
    service = await startMailedApp();
    ({ mailbox } = service);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const forgot = (email: string) => service.anonymous().post('/api/auth/password/forgot').send({ email });
  const reset = (token: string, password: unknown = NEW) =>
    service.anonymous().post('/api/auth/password/reset').send({ token, password });

  async function mailed(): Promise<{ readonly email: string; readonly token: string }> {
    const { email } = await aPerson(service);
    expect((await forgot(email)).status).toBe(200);
    return { email, token: tokenOf(await mailbox.next(email)) };
  }

  it('is replaced by the link of a mail, once; no session begins, and all others are over', async () => {
    const ann = await aPerson(service);
    const { token: access } = await signedIn(service, ann);
    await forgot(ann.email);
    const token = tokenOf(await mailbox.next(ann.email));

    const answer = await reset(token);

    expect([answer.status, Object.keys(answer.body as object), answer.headers['set-cookie']]).toEqual([
      200,
      ['message'],
      undefined,
    ]);
    expectError(await service.http(access).get('/api/auth/me'), 'invalid_token');
    expectError(await login(service, ann, PASSWORD), 'invalid_credentials');
    expect((await login(service, ann, NEW)).status).toBe(200);
    expectError(await reset(token), 'invalid_link');
    await mailbox.next(ann.email, /^Your password for \S+ was changed$/);
  });

  it('is asked for with the same answer for every address', async () => {
    const known = await aPerson(service);
    const off = await aPerson(service);
    await service.http().put(`/api/users/${off.id}`).send({ disabled: true }).expect(200);

    const answers = [];
    for (const email of [known.email, known.email, off.email, 'nobody-here@example.com']) {
      const { status, body } = await forgot(email);
      answers.push({ status, body: body as unknown });
    }

    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    await mailbox.next(known.email);
    expect([await mailbox.mailsTo(off.email), await mailbox.mailsTo('nobody-here@example.com')]).toEqual([[], []]);
  });

  it('is not replaced by a weak one, which does not spend the link', async () => {
    const { token } = await mailed();

    for (const weak of ['short', 'password1234', '', null, 7])
      expectError(await reset(token, weak), 'validation_failed');

    expect((await reset(token)).status).toBe(200);
  });

  it('is replaced within 30 minutes and not later', async () => {
    const putAhead = stopClock(service);
    const [one, other] = [await mailed(), await mailed()];

    putAhead(1_799);
    expect((await reset(one.token)).status).toBe(200);
    putAhead(1_800);
    expectError(await reset(other.token), 'invalid_link');
  });

  it('is replaced once when its link is used ten times at once', async () => {
    const { token } = await mailed();

    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => reset(token, `${NEW} ${n}`)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('does not keep anybody waiting who has been wrong too often', async () => {
    const { email, token } = await mailed();
    stopClock(service);
    for (let tries = 0; tries < 5; tries += 1) await login(service, { email }, 'wrong');
    expectError(await login(service, { email }, PASSWORD), 'too_many_requests');

    await reset(token);

    expect((await login(service, { email }, NEW)).status).toBe(200);
  });

  it('is proof of the mailbox: what others had of an account that was not proved is gone', async () => {
    const { email, token } = await mailed();

    await reset(token);

    const [user] = await service.app
      .get(Reads)
      .select<{ email_verified_at: number | null }>('SELECT email_verified_at FROM users WHERE email_key = ?', [email]);
    expect(user?.email_verified_at).not.toBeNull();
  });

  it('can be replaced without any console: the link leads to a form of ours', async () => {
    const { email, token } = await mailed();

    const open = () => service.anonymous().get(`/api/auth/password/reset?token=${token}&utm_source=mail`);
    const page = await open();
    expect([page.status, page.type]).toEqual([200, 'text/html']);
    expect(page.text).toMatch(/<label for="password">.*<input id="password" .*type="password"/s);
    const post = (password: string) =>
      service.anonymous().post('/api/auth/password/reset').type('form').send({ token, password });
    const refused = await post('password1234');
    expect([refused.status, refused.type]).toEqual([422, 'text/html']);
    expect(refused.text).toContain('>Password is one that is guessed first');

    const { text } = await post(NEW);
    expect(text).toContain('Your password has been changed');
    expect(text).toContain('<a href="../../../">Go to the start page</a>');
    expectError(await open(), 'link_over');
    expect((await login(service, { email }, NEW)).status).toBe(200);
  });

  it('that was changed by its owner is announced by mail, too', async () => {
    const ann = await aPerson(service);
    const { token } = await signedIn(service, ann);

    const newPassword = { current_password: PASSWORD, password: NEW };
    await service.http(token).post('/api/auth/password/change').send(newPassword).expect(204);

    expect((await mailbox.next(ann.email)).subject).toMatch(/^Your password for \S+ was changed$/);
  });

  it('and a refresh token that is used twice is announced to its user', async () => {
    const ann = await aPerson(service);
    const first = (await signedIn(service, ann)).refresh_token;
    const refresh = (token: string) => service.anonymous().post('/api/auth/refresh').send({ refresh_token: token });
    const second = (await refresh(first)).body.refresh_token as string;
    await refresh(second).expect(200);

    expectError(await refresh(first), 'refresh_token_reused');

    expect((await mailbox.next(ann.email)).subject).toBe('We ended one of your sessions');
  });

  it.each([
    ['password', 'post', '/api/auth/login'],
    ['password', 'post', '/api/auth/password/forgot'],
    ['password', 'post', '/api/auth/password/reset'],
    ['otp', 'post', '/api/auth/otp/send'],
    ['otp', 'post', '/api/auth/otp/verify'],
    ['magic-link', 'post', '/api/auth/magic-link'],
    ['magic-link', 'get', '/api/auth/magic-link/verify?token=x'],
  ] as const)('and all of %s is not there when it is switched off: %s %s', async (method, verb, path) => {
    const others = ['password', 'otp', 'magic-link'].filter((one) => one !== method);
    const other = await startTestApp({ AUTH_METHODS: others.join() });

    const answer = await other.anonymous()[verb](path);
    await other.close();

    expectError(answer, 'not_found');
  });
});
