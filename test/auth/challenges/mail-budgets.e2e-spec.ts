import { Audit } from '../../../src/audit/audit.js';
import { outcomeUnknown } from '../../../src/database/dialect/database-error.js';
import { Reads } from '../../../src/database/statements/reads.js';
import { execute } from '../../../src/database/statements/statement.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { putClockAhead, stopClock } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { mailedCode, sendCode, verifyCode } from '../../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import { aPerson, deviceIn, login } from '../../support/sign-in.js';

/** No other limit than that of all mails. */
const mails = (hourly: number) => `auth=0,login=0,send=0,send_hourly=0,verify=0,mails_hourly=${hourly}`;

describe('The budgets of mails', () => {
  let service: MailedApp;

  afterEach(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  const forgot = (email: string) => service.anonymous().post('/api/auth/password/forgot').send({ email });

  it('are two: addresses without an account use up nothing of those with one, and are answered as ever', async () => {
    service = await startMailedApp({ RATE_LIMITS: mails(3) });
    const { email } = await aPerson(service);

    const bodies: [number, unknown][] = [];
    for (let times = 0; times < 6; times += 1) {
      const { status, body } = await sendCode(service, `stranger${times}@example.com`);
      bodies.push([status, body]);
    }

    expect(bodies).toEqual(bodies.map(() => bodies[0]));
    expect(bodies[0]?.[0]).toBe(200);
    const { code } = await mailedCode(service, service.mailbox, email);
    expect((await verifyCode(service, email, code)).status).toBe(200);
  });

  it('are two where everybody may sign up, too: the mails to new addresses stop, those to accounts go on', async () => {
    service = await startMailedApp({ RATE_LIMITS: mails(2), SIGNUP: 'open' });
    const { email } = await aPerson(service);

    for (let times = 0; times < 4; times += 1)
      expect((await sendCode(service, `new${times}@example.com`)).status).toBe(200);

    await mailedCode(service, service.mailbox, email);
    // Mails are delivered beside each other: the last one may come first.
    for (const within of ['new0@example.com', 'new1@example.com']) await service.mailbox.next(within);
    const sent = await Promise.all([0, 1, 2, 3].map((n) => service.mailbox.mailsTo(`new${n}@example.com`)));
    expect(sent.map(({ length }) => length)).toEqual([1, 1, 0, 0]);
    putClockAhead(service, 3_601);
    await mailedCode(service, service.mailbox, 'new3@example.com');
  });

  it('refuse everybody alike once that of accounts is spent', async () => {
    service = await startMailedApp({ RATE_LIMITS: mails(2) });
    for (let times = 0; times < 2; times += 1) {
      expect((await sendCode(service, (await aPerson(service)).email)).status).toBe(200);
    }

    const [known, unknown] = [await sendCode(service, (await aPerson(service)).email), await forgot('x@example.com')];

    expectError(known, 'too_many_requests');
    expectError(unknown, 'too_many_requests');
  });

  it('leave known devices a budget of their own where that of accounts is spent, which is as large', async () => {
    service = await startMailedApp({ RATE_LIMITS: mails(2) });
    const ann = await aPerson(service);
    const other = await aPerson(service);
    const [device, elsewhere] = [deviceIn(await login(service, ann)), deviceIn(await login(service, other))];
    const ask = (path: string, email: string, cookie: string) =>
      service.anonymous().post(`/api/auth/${path}`).set('Cookie', cookie).send({ email });
    for (let times = 0; times < 2; times += 1) await sendCode(service, (await aPerson(service)).email);
    expectError(await sendCode(service, ann.email), 'too_many_requests');
    expectError(await ask('otp/send', ann.email, elsewhere), 'too_many_requests');

    expect((await ask('otp/send', ann.email, device)).status).toBe(200);
    expect((await ask('password/forgot', ann.email, device)).status).toBe(200);
    await service.mailbox.next(ann.email, /^Sign in to/);
    expectError(await ask('otp/send', other.email, elsewhere), 'too_many_requests');
  });

  it.each(['a user', 'an unknown address'])(
    'of one address are two: mails to sign in leave %s those for a new password',
    async (who) => {
      service = await startMailedApp();
      const email = who === 'a user' ? (await aPerson(service)).email : 'not-here@example.com';
      for (let times = 0; times < 6; times += 1) {
        putClockAhead(service, times * 61);
        expect((await sendCode(service, email)).status).toBe(200);
      }
      putClockAhead(service, 6 * 61);

      expectError(await sendCode(service, email), 'too_many_requests');
      expect((await forgot(email)).status).toBe(200);
    },
  );

  it.each(['a user', 'an unknown address', 'a known device'])(
    'of %s lose nothing to requests that are refused because that of all is spent',
    async (who) => {
      service = await startMailedApp({ RATE_LIMITS: mails(2) });
      const ann = await aPerson(service);
      const device = who === 'a known device' ? deviceIn(await login(service, ann)) : '';
      const email = who === 'an unknown address' ? 'not-here@example.com' : ann.email;
      const ask = (to: string, cookie = '') =>
        service.anonymous().post('/api/auth/otp/send').set('Cookie', cookie).send({ email: to });
      const clock = stopClock(service);
      for (let times = 0; times < 2; times += 1) {
        const other = await aPerson(service);
        expect((await ask(other.email, device && deviceIn(await login(service, other)))).status).toBe(200);
      }

      clock(3_400);
      for (let times = 0; times < 7; times += 1) expectError(await ask(email, device), 'too_many_requests');

      clock(3_601);
      expect((await ask(email, device)).status).toBe(200);
    },
  );

  it('lose nothing to addresses that get no mail', async () => {
    service = await startMailedApp({ RATE_LIMITS: mails(2), SIGNUP: 'domains:corp.example' });
    const { id, email } = await aPerson(service);
    await service.http().put(`/api/users/${id}`).send({ disabled: true }).expect(200);
    for (const address of [email, 'a@elsewhere.example', 'b@elsewhere.example']) {
      expect((await sendCode(service, address)).status).toBe(200);
      expect((await forgot(address)).status).toBe(200);
    }
    expect((await forgot('new@corp.example')).status).toBe(200);

    await mailedCode(service, service.mailbox, 'new@corp.example');
    await mailedCode(service, service.mailbox, 'newer@corp.example');
  });

  it.each([
    ['nothing to a mail that fails', new Error('it fails'), 0],
    ['what was taken for a mail that may be under way', outcomeUnknown(new Error('no answer')), 3],
  ])('lose %s', async (_, failure, taken) => {
    service = await startMailedApp({ RATE_LIMITS: mails(1) });
    const { email } = await aPerson(service);
    for (const send of [(to: string) => sendCode(service, to), forgot]) {
      await service.app.get(UnitOfWork).run((manager) => execute(manager, 'DELETE FROM auth_counters', []));
      jest.spyOn(service.app.get(Audit), 'add').mockRejectedValueOnce(failure);

      expect((await send(email)).status).toBeGreaterThanOrEqual(500);

      const sql = 'SELECT tries FROM auth_counters WHERE tries > 0';
      expect(await service.app.get(Reads).select(sql)).toHaveLength(taken);
    }
    if (taken === 0) await mailedCode(service, service.mailbox, email);
  });
});
