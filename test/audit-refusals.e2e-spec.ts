import { Audit } from '../src/audit/audit.js';
import { expectError } from './support/errors.js';
import { Mailbox } from './support/mailbox.js';
import { mailedCode, tokenOf, verifyCode, verifyLink, sendLink } from './support/mail-sign-in.js';
import { aPerson, login, type Person } from './support/sign-in.js';
import { startTestApp, type TestApp } from './support/test-app.js';

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

  it('tells of a sign-in by the right password, and whose it is', async () => {
    await disable();

    expectError(await login(service, ann), 'account_disabled');

    expect(await refusals('login')).toMatchObject([{ user_id: ann.id, email: ann.email }]);
  });

  it('tells of a sign-in by code and by link', async () => {
    const { code, link } = await mailedCode(service, mailbox, ann.email);
    await disable();

    expectError(await verifyCode(service, ann.email, code), 'account_disabled');
    expectError(await verifyLink(service, tokenOf({ link })), 'account_disabled');

    expect(await refusals('otp.verify')).toHaveLength(1);
    expect(await refusals('magic_link.verify')).toHaveLength(1);
  });

  it('tells of an exchanged code', async () => {
    await sendLink(service, ann.email, { redirect_to: APP });
    const token = tokenOf(await mailbox.next(ann.email));
    const { headers } = await post('/api/auth/magic-link/verify', { token }).type('form').expect(303);
    await disable();

    const code = new URL(String(headers.location)).searchParams.get('code');
    expectError(await post('/api/auth/exchange', { code }), 'account_disabled');

    expect(await refusals('exchange')).toHaveLength(1);
  });

  it('tells of a new password, and of an invitation', async () => {
    await post('/api/auth/password/forgot', { email: ann.email }).expect(200);
    const reset = tokenOf(await mailbox.next(ann.email));
    const invitation = { email: ann.email, name: 'Ann', role: 'viewer' };
    await service.http().post('/api/auth/invitations').send(invitation).expect(201);
    const token = tokenOf(await mailbox.next(ann.email));
    await disable();

    const password = 'a very own password';
    expectError(await post('/api/auth/password/reset', { token: reset, password }), 'account_disabled');
    expectError(await post('/api/auth/invitations/accept', { token }), 'account_disabled');

    expect(await refusals('password.reset')).toHaveLength(1);
    expect(await refusals('invitation.accepted')).toHaveLength(1);
  });
});
