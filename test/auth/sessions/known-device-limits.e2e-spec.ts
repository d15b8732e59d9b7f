import { DeviceCookie } from '../../../src/auth/limits/known-clients.js';
import { UsersService } from '../../../src/users/users.service.js';
import { stopMonotonicClock } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { tokenOf } from '../../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import { aPerson, deviceIn, login, PASSWORD, type Person } from '../../support/sign-in.js';

describe('Requests without a credential from an address', () => {
  let service: MailedApp;
  let ann: Person;
  let device: string;

  beforeAll(async () => {
    service = await startMailedApp({ RATE_LIMITS: 'auth=8,login=4,send=3' });
    ann = await aPerson(service);
    device = deviceIn(await login(service, ann));
    stopMonotonicClock();
    for (let times = 0; times < 8; times += 1) await post('login', { email: 'x@example.com', password: 'wrong' });
    for (let times = 0; times < 8; times += 1) await post('exchange', { code: 'x'.repeat(43) });
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  const post = (path: string, body: object, cookie = '') =>
    service.anonymous().post(`/api/auth/${path}`).set('Cookie', cookie).send(body);

  it('use up nothing of a known device: its user signs in, and gets mail', async () => {
    const { email } = ann;
    expectError(await post('login', { email, password: PASSWORD }), 'too_many_requests');
    expectError(await post('otp/send', { email }), 'too_many_requests');

    expect((await post('login', { email, password: PASSWORD }, device)).status).toBe(200);
    expect((await post('otp/send', { email }, device)).status).toBe(200);
    const { code } = await service.mailbox.next(email, /^Sign in to/);
    expect((await post('otp/verify', { email, code }, device)).status).toBe(200);
  });

  it('draw from the address on a device of another user, whether there is an account or not', async () => {
    const bob = await aPerson(service);

    for (const email of [bob.email, 'not-here@example.com']) {
      expectError(await post('login', { email, password: PASSWORD }, device), 'too_many_requests');
    }
    const forged = device.replace(/.$/, device.endsWith('A') ? 'B' : 'A');
    expectError(await post('login', { email: ann.email, password: PASSWORD }, forged), 'too_many_requests');
  });

  it('are limited on known devices too, all of a user together', async () => {
    const eve = await aPerson(service);
    const own = service.app.get(DeviceCookie);
    const account = await service.app.get(UsersService).find(eve.id);
    const cookies = [0, 1].map(
      () => own.keep({ id: eve.id, passwordChangedAt: account?.passwordChangedAt ?? null }).split(';')[0] ?? '',
    );

    const answers: number[] = [];
    for (let times = 0; times < 6; times += 1) {
      answers.push((await post('login', { email: eve.email, password: 'wrong' }, cookies[times % 2])).status);
    }

    expect(answers).toEqual([401, 401, 401, 401, 429, 429]);
  });

  it('leave the link of a notice that locks an account down, which has a limit of its own', async () => {
    await service.http().put(`/api/users/${ann.id}`).send({ password: 'another correct horse' }).expect(200);
    const token = tokenOf(await service.mailbox.next(ann.email, /password/));

    expect((await service.anonymous().get(`/api/auth/lock-down?token=${token}`)).status).toBe(200);
    expect((await post('lock-down', { token })).status).toBe(200);
    let answer = await post('lock-down', { token });
    for (let times = 3; times < 60; times += 1) answer = await post('lock-down', { token });
    expectError(answer, 'invalid_link');
    expectError(await post('lock-down', { token }), 'too_many_requests');
  });
});
