import { expectError } from '../support/errors.js';
import { mailedCode, verifyCode } from '../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../support/mailed-app.js';
import { TokenIssuer } from '../support/token-issuer.js';

describe('The identity of an issuer', () => {
  let issuer: TokenIssuer;
  let service: MailedApp;

  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    service = await startMailedApp(issuer.environment({ email_trusted: true }));
  });

  afterAll(async () => {
    await service.close();
    await issuer.stop();
  });

  const idByToken = async (sub: string) => {
    const token = await issuer.sign({ sub, email: `${sub}@example.com`, groups: ['readers'] });
    return (await service.http(token).get('/api/auth/me').expect(200)).body.data.user.id as number;
  };
  const identitiesOf = async (id: number) =>
    (await service.http().get(`/api/users/${id}/identities`).expect(200)).body.data as { id: number }[];

  /** Their account, and a session of their own that a mailed code has begun. */
  async function withSession(sub: string) {
    const id = await idByToken(sub);
    const { code } = await mailedCode(service, service.mailbox, `${sub}@example.com`);
    const { body } = (await verifyCode(service, `${sub}@example.com`, code)) as { body: { token: string } };
    const [identity] = await identitiesOf(id);
    return { id, identity: identity?.id, session: service.http(body.token) };
  }

  it('is not unlinked by its user, who would get a second account with the next token', async () => {
    const { id, identity, session } = await withSession('ann');

    const answer = await session.delete(`/api/auth/identities/${identity}`);

    expectError(answer, 'managed_elsewhere');
    expect(answer.body.message).toContain('corp');
    expect(await idByToken('ann')).toBe(id);
  });

  it('is unlinked by an administrator, in this process at once', async () => {
    const { id, identity } = await withSession('bob');

    await service.http().delete(`/api/users/${id}/identities/${identity}`).expect(204);

    expect(await idByToken('bob')).not.toBe(id);
  });

  it('stays with an account that its owner locks down, and the answer says so', async () => {
    const { id, session } = await withSession('cyd');

    const { body } = await session.post('/api/auth/security/lock-down').expect(200);

    expect(body.message).toContain('Your sign-in at corp still opens the account');
    expect(await identitiesOf(id)).toHaveLength(1);
    expect(await idByToken('cyd')).toBe(id);
    expectError(await session.get('/api/auth/sessions'), 'invalid_token');
  });
});
