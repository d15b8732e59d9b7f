import { Audit } from '../../src/audit/audit.js';
import { expectError } from '../support/errors.js';
import { Mailbox } from '../support/mailbox.js';
import { mailedCode, tokenOf, verifyCode, verifyLink, sendLink } from '../support/mail-sign-in.js';
import { aPerson, login, type Person } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const APP = 'https://console.example.com/signed-in';

describe('The audit of a disabled user', () => {
  let service: TestApp;
  let mailbox: Mailbox;
  let ann: Person;

  beforeAll(async () => {
    mailbox = await Mailbox.open();
    service = await startTestApp({ ...mailbox.environment, RATE_LIMITS: 'off', REDIRECT_ALLOW_LIST: APP });
  });

  beforeEach(async () => {
    ann = await aPerson(service);
  });

  afterAll(async () => {
    await service.close();
    await mailbox.close();
  });

  const disable = () => service.http().put(`/api/users/${ann.id}`).send({ disabled: true }).expect(200);
  const post = (path: string, body: object) => service.anonymous().post(path).send(body);
  const refusals = async (event: string): Promise<unknown[]> => {
    await service.app.get(Audit).write();
    const { body } = await service.http().get(`/api/admin/audit?event=${event}&outcome=failure`).expect(200);
    return (body.data as { reason: string; user_id: number | null }[]).filter(
      ({ reason }) => reason === 'account_disabled',
    );
  };

  it('has a sign-in by the right password, and whose it is', async () => {
    await disable();

    expectError(await login(service, ann), 'account_disabled');

    expect(await refusals('login')).toMatchObject([{ user_id: ann.id, email: ann.email }]);
  });

  it('has a sign-in by code and by link', async () => {
    const { code, link } = await mailedCode(service, mailbox, ann.email);
    await disable();

    expectError(await verifyCode(service, ann.email, code), 'account_disabled');
    expectError(await verifyLink(service, tokenOf({ link })), 'account_disabled');

    expect(await refusals('otp.verify')).toHaveLength(1);
    expect(await refusals('magic_link.verify')).toHaveLength(1);
  });

  it('has an exchanged code', async () => {
    await sendLink(service, ann.email, { redirect_to: APP });
    const token = tokenOf(await mailbox.next(ann.email));
    const { headers } = await post('/api/auth/magic-link/verify', { token }).type('form').expect(303);
    await disable();

    const code = new URL(String(headers.location)).searchParams.get('code');
    expectError(await post('/api/auth/exchange', { code }), 'account_disabled');

    expect(await refusals('exchange')).toHaveLength(1);
  });

  it('has a new password, and an invitation', async () => {
    const invitation = { email: ann.email, name: 'Ann', role: 'viewer' };
    await service.http().post('/api/auth/invitations').send(invitation).expect(201);
    const token = tokenOf(await mailbox.next(ann.email, /invited/i));
    // Afterwards: an invitation ends the links that were mailed before it.
    await post('/api/auth/password/forgot', { email: ann.email }).expect(200);
    const reset = tokenOf(await mailbox.next(ann.email, /new password/));
    await disable();

    const password = 'a very own password';
    expectError(await post('/api/auth/password/reset', { token: reset, password }), 'account_disabled');
    expectError(await post('/api/auth/invitations/accept', { token }), 'account_disabled');

    expect(await refusals('password.reset')).toHaveLength(1);
    expect(await refusals('invitation.accepted')).toHaveLength(1);
  });
});

describe('The audit of proofs that belong to no account', () => {
  const TOKEN = 'x'.repeat(43);

  it.each([
    ['exchange', '/api/auth/exchange', { code: TOKEN }],
    ['magic_link.verify', '/api/auth/magic-link/verify', { token: TOKEN }],
    ['password.reset', '/api/auth/password/reset', { token: TOKEN, password: 'a very own password' }],
    ['invitation.accepted', '/api/auth/invitations/accept', { token: TOKEN }],
    ['provider.sign_in', '/api/auth/google/token', { id_token: 'a.b.c', nonce: 'n'.repeat(22) }],
  ])('has one event for many of them: %s', async (event, path, body) => {
    const service = await startTestApp({ RATE_LIMITS: 'off' });
    for (let times = 0; times < 5; times += 1) {
      expect((await service.anonymous().post(path).send(body)).status).toBeGreaterThanOrEqual(400);
    }
    await service.app.get(Audit).write();

    const { body: found } = await service.http().get(`/api/admin/audit?event=${event}`).expect(200);
    await service.close();
    expect(found.data).toHaveLength(1);
    expect(found.data).toMatchObject([{ outcome: 'failure', user_id: null, details: null }]);
  });
});
