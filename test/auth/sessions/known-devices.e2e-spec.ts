import { hash } from '@node-rs/argon2';
import { Clock } from '../../../src/common/clock.js';
import { execute } from '../../../src/database/statements/statement.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { Passwords } from '../../../src/users/passwords/passwords.js';
import { putClockAhead, stopClock } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { mailedCode, otherCode, sendCode, tokenOf, verifyCode, verifyLink } from '../../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import { aPerson, deviceIn, login, PASSWORD, proved, type Person } from '../../support/sign-in.js';
import { waitFor } from '../../support/mailbox.js';
import { startTestApp } from '../../support/test-app.js';

describe('A device on which a user has signed in', () => {
  let service: MailedApp;
  let ann: Person;

  beforeAll(async () => {
    service = await startMailedApp();
  });

  beforeEach(async () => {
    ann = await aPerson(service);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const post = (path: string, body: object, cookie: string) =>
    service.anonymous().post(`/api/auth/${path}`).set('Cookie', cookie).send(body);
  const loginFrom = (cookie: string, password = PASSWORD, { email } = ann) =>
    post('login', { email, password }, cookie);
  const device = async (person = ann) => deviceIn(await login(service, person));
  const locks = async () =>
    (await service.http().get('/api/admin/audit?event=account.locked&per_page=100')).body.data as Record<
      string,
      unknown
    >[];

  /** Fails so often that the next try has to wait. The clock stands then. */
  async function lockPassword(times = 6): Promise<void> {
    for (let tries = 0; tries < times; tries += 1) {
      stopClock(service, tries * 901);
      await login(service, ann, 'wrong');
    }
  }

  it('is known by a cookie that no script and no other site can use, for 180 days', async () => {
    const answer = await login(service, ann);
    const secure = await startTestApp({ PUBLIC_URL: 'https://cms.example.com', RATE_LIMITS: 'off' });
    const other = await login(secure, await aPerson(secure));
    await secure.close();

    const [plain, safe] = [answer, other].map(({ headers }) => String(headers['set-cookie']));
    expect(plain).toMatch(/^cms_device=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(safe).toMatch(/^__Host-cms_device=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  });

  it('is let in with the right password while others fail', async () => {
    const known = await device();
    await lockPassword();
    expectError(await login(service, ann), 'too_many_requests');

    expect((await loginFrom(known)).status).toBe(200);
    expectError(await login(service, ann), 'too_many_requests');
  });

  it('has the growing wait for itself, which keeps no other device out', async () => {
    const [one, other] = [await device(), await device()];
    stopClock(service);
    for (let tries = 0; tries < 5; tries += 1) expectError(await loginFrom(one, 'wrong'), 'invalid_credentials');

    expectError(await loginFrom(one), 'too_many_requests');
    expect((await loginFrom(other)).status).toBe(200);
    expect((await login(service, ann)).status).toBe(200);
  });

  it('is known for its own user only, unchanged, and for 180 days', async () => {
    const [known, foreign] = [await device(), await device(await aPerson(service))];
    await lockPassword();

    for (const cookie of [foreign, known.replace(/.$/, known.endsWith('A') ? 'B' : 'A'), 'cms_device=1.9.x.y']) {
      expectError(await loginFrom(cookie), 'too_many_requests');
    }
    const now = Date.now();
    await lockPassword(101);
    jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(now + 181 * 86_400_000);
    expectError(await loginFrom(known), 'too_many_requests');
  });

  it('is let in with a new password right after it was reset, however often the former one was wrong there', async () => {
    const known = await device();
    stopClock(service);
    for (let tries = 0; tries < 6; tries += 1) await loginFrom(known, 'wrong');
    expectError(await loginFrom(known), 'too_many_requests');

    const password = 'another correct horse';
    await service.http().put(`/api/users/${ann.id}`).send({ password }).expect(200);

    expect((await loginFrom(known, password)).status).toBe(200);
  });

  it('can use a code of which others have used up all attempts, and five times be wrong itself', async () => {
    const [one, other] = [await device(), await device()];
    const { code } = await mailedCode(service, service.mailbox, ann.email);
    for (let tries = 0; tries < 5; tries += 1) await verifyCode(service, ann.email, otherCode(code));
    expectError(await verifyCode(service, ann.email, code), 'invalid_code');

    const verify = (cookie: string, guess: string) => post('otp/verify', { email: ann.email, code: guess }, cookie);
    for (let tries = 0; tries < 5; tries += 1) expectError(await verify(one, otherCode(code)), 'invalid_code');
    expectError(await verify(one, code), 'invalid_code');
    expect((await verify(other, code)).status).toBe(200);
  });

  it('gets mail where others have asked for as much as an address gets in an hour', async () => {
    const known = await device();
    for (let times = 0; times < 7; times += 1) {
      putClockAhead(service, times * 61);
      await sendCode(service, ann.email);
    }
    expectError(await sendCode(service, ann.email), 'too_many_requests');

    await post('otp/send', { email: ann.email }, known).expect(200);
    for (let mails = 0; mails < 7; mails += 1) await service.mailbox.next(ann.email, /^Sign in to/);
  });

  it('has its password checked before those of all that wait', async () => {
    const known = await device();
    const passwords = service.app.get(Passwords);
    const verify = passwords.verify.bind(passwords);
    const order: string[] = [];
    let crowd: Promise<unknown>[] = [];
    jest.spyOn(passwords, 'verify').mockImplementationOnce(async (...given) => {
      crowd = Array.from({ length: 40 }, (_, n) => verify('wrong', null).then(() => order.push(`stranger ${n}`)));
      return verify(...given).finally(() => order.push('known'));
    });

    const answer = await loginFrom(known);
    await Promise.all(crowd);

    expect(answer.status).toBe(200);
    expect(order).toHaveLength(41);
    expect(order.indexOf('known')).toBeLessThan(20);
  });

  it.each(['a user', 'an unknown address'])(
    'is the way in for %s after 15 failures, which the audit says once',
    async (who) => {
      if (who === 'an unknown address') ann = { id: 0, email: 'not-here@example.com' };

      await lockPassword(17);

      const userId = who === 'a user' ? ann.id : null;
      const email = who === 'a user' ? ann.email : expect.stringMatching(/^hmac:/);
      const found = () => waitFor(async () => (await locks()).find((lock) => lock.user_id === userId), 'the event');
      expect(await found()).toMatchObject({ email, outcome: 'failure', details: { method: 'password' } });
      expect((await locks()).filter((lock) => lock.user_id === userId)).toHaveLength(1);
      if (who === 'a user') expect((await service.mailbox.next(ann.email)).text).toContain('so many wrong passwords');
    },
  );

  it('is not, after a hundred failures, the only way: the refusal names the reset by mail', async () => {
    await lockPassword(100);
    putClockAhead(service, 101 * 901);

    const refused = await login(service, ann);

    expectError(refused, 'too_many_requests');
    expect(refused.body.message).toContain('POST /api/auth/password/forgot');
    expect(refused.body.retry_after).toBeGreaterThan(6 * 86_400);
  });

  it('shares fifteen attempts at a code with all other devices of its user', async () => {
    const devices: string[] = [];
    for (let count = 0; count < 4; count += 1) devices.push(await device());
    const { code } = await mailedCode(service, service.mailbox, ann.email);
    const verify = (cookie: string, guess: string) => post('otp/verify', { email: ann.email, code: guess }, cookie);
    for (const cookie of devices.slice(0, 3)) {
      for (let tries = 0; tries < 5; tries += 1) expectError(await verify(cookie, otherCode(code)), 'invalid_code');
    }

    expectError(await verify(devices[3] ?? '', code), 'invalid_code');
  });

  it('shares fifteen mails an hour with all other devices of its user', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 16; count += 1) {
      const cookie = await device();
      putClockAhead(service, count * 61);
      statuses.push((await post('otp/send', { email: ann.email }, cookie)).status);
    }

    expect(statuses).toEqual([...Array<number>(15).fill(200), 429]);
  });

  it('is known after its password was hashed anew at the cost of today', async () => {
    const former = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await service.app
      .get(UnitOfWork)
      .run((manager) => execute(manager, 'UPDATE users SET password_hash = ? WHERE id = ?', [former, ann.id]));
    const known = await device();
    await lockPassword();

    expect((await loginFrom(known)).status).toBe(200);
  });

  it.each(['a new password', 'a lock-down'])('is not known any more after %s', async (end) => {
    const known = await device();
    const { body } = await login(service, ann);
    const password = 'another correct horse';
    if (end === 'a lock-down')
      await service
        .http(body.token as string)
        .post('/api/auth/security/lock-down')
        .expect(200);
    await service.http().put(`/api/users/${ann.id}`).send({ password }).expect(200);
    await lockPassword();

    expectError(await loginFrom(known, password), 'too_many_requests');
  });
});

describe('Wrong codes', () => {
  let service: MailedApp;

  beforeAll(async () => {
    service = await startMailedApp();
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  /** Sends as many wrong codes as an address has in a day, with a new mail for every five of them. */
  async function spendDay(email: string, arrival = () => Promise.resolve<unknown>(null)): Promise<void> {
    for (let mails = 0; mails < 4; mails += 1) {
      putClockAhead(service, mails * 901);
      expect((await sendCode(service, email)).status).toBe(200);
      // One after the other: mails that wait together leave in any order.
      await arrival();
      for (let tries = 0; tries < 5; tries += 1) {
        expectError(await verifyCode(service, email, '000000'), 'invalid_code');
      }
    }
    putClockAhead(service, 4 * 901);
    expect((await sendCode(service, email)).status).toBe(200);
  }

  it('are twenty a day for an address: then the link of the mail signs in, and the code on known devices', async () => {
    const ann = await aPerson(service);
    await proved(service, ann);
    const device = deviceIn(await login(service, ann));
    const nextMail = () => service.mailbox.next(ann.email, /^Sign in to/);
    await spendDay(ann.email, nextMail);
    const { code, link } = await nextMail();

    const refused = await verifyCode(service, ann.email, code);
    const known = await service
      .anonymous()
      .post('/api/auth/otp/verify')
      .set('Cookie', device)
      .send({ email: ann.email, code: otherCode(code) });
    const byLink = await verifyLink(service, tokenOf({ link }));

    expectError(refused, 'too_many_requests');
    expect(refused.body.message).toContain('link of the mail');
    expect(refused.body.retry_after).toBeGreaterThan(80_000);
    expectError(known, 'invalid_code');
    expect(byLink.status).toBe(200);
  });

  it('are twenty a day for an address without an account, too, and right ones give none of them back', async () => {
    const stranger = 'not-there@example.com';
    await spendDay(stranger);
    const refused = await verifyCode(service, stranger, '000000');
    expectError(refused, 'too_many_requests');
    expect(refused.body.message).toContain('link of the mail');

    jest.restoreAllMocks();
    const ann = await aPerson(service);
    for (let round = 0; round < 3; round += 1) {
      putClockAhead(service, round * 901);
      const { code } = await mailedCode(service, service.mailbox, ann.email);
      for (let tries = 0; tries < 4; tries += 1) await verifyCode(service, ann.email, otherCode(code));
      expect((await verifyCode(service, ann.email, code)).status).toBe(200);
    }
    for (let round = 3; round < 5; round += 1) {
      putClockAhead(service, round * 901);
      const { code } = await mailedCode(service, service.mailbox, ann.email);
      for (let tries = 0; tries < 4; tries += 1) await verifyCode(service, ann.email, otherCode(code));
    }
    putClockAhead(service, 5 * 901);
    const { code } = await mailedCode(service, service.mailbox, ann.email);
    expectError(await verifyCode(service, ann.email, code), 'too_many_requests');
  });

  it.each(['a user', 'an unknown address'])('count for %s only while a code is open', async (who) => {
    const email = who === 'a user' ? (await aPerson(service)).email : 'not-here@example.com';

    for (let tries = 0; tries < 15; tries += 1) {
      expectError(await verifyCode(service, email, '000000'), 'invalid_code');
    }

    expect((await sendCode(service, email)).status).toBe(200);
    expectError(await verifyCode(service, email, '000000'), 'invalid_code');
    if (who === 'a user') {
      const { code } = await service.mailbox.next(email);
      expect((await verifyCode(service, email, code)).status).toBe(200);
    }
  });
});
