import { putClockAhead } from '../support/clock.js';
import { expectError } from '../support/errors.js';
import { tokenOf } from '../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../support/mailed-app.js';
import { TokenIssuer } from '../support/token-issuer.js';

describe('A user of an issuer whose account was disabled', () => {
  let issuer: TokenIssuer;
  let service: MailedApp;

  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    service = await startMailedApp(issuer.environment({ email_trusted: true }));
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await service.close();
    await issuer.stop();
  });

  const signed = (sub: string) =>
    issuer.sign({ sub, email: `${sub}@example.com`, email_verified: true, groups: ['readers'] });
  const me = (token: string) => service.http(token).get('/api/auth/me');
  const put = (id: number, body: object) => service.http().put(`/api/users/${id}`).send(body).expect(200);
  const lockDown = async (sub: string) => {
    const token = tokenOf(await service.mailbox.next(`${sub}@example.com`, /role/i));
    await service.anonymous().post('/api/auth/lock-down').send({ token }).expect(200);
  };

  /** An account that an issuer has brought, with a notice in its mailbox. */
  async function noticed(sub: string): Promise<number> {
    const { id } = (await me(await signed(sub)).expect(200)).body.data.user;
    await put(id, { role: 'author' });
    return id as number;
  }

  it('is out at once in the process that has disabled the account', async () => {
    const id = await noticed('former');
    const token = await signed('former');
    await me(token).expect(200);

    await put(id, { disabled: true });
    expectError(await me(token), 'account_disabled');
    await put(id, { disabled: false });
    await me(token).expect(200);
  });

  it('gets no new account by locking the disabled one down', async () => {
    const id = await noticed('leaver');
    await put(id, { disabled: true });

    await lockDown('leaver');
    putClockAhead(service, 5);

    expectError(await me(await signed('leaver')), 'account_disabled');
    await put(id, { disabled: false });
    putClockAhead(service, 10);
    expect((await me(await signed('leaver')).expect(200)).body.data.user.id).toBe(id);
  });
});
