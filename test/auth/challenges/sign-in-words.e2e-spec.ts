import { Audit } from '../../../src/audit/audit.js';
import type { AuditEvent } from '../../../src/audit/audit-event.js';
import { LockDownLinks } from '../../../src/auth/notices/notice-mailer.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { putClockAhead } from '../../support/clock.js';
import { LinkedApp } from '../../support/linked-app.js';

/** What is said where `AUTH_METHODS` has these ways beside google and oidc. */
const SAID = [
  {
    ways: [],
    reused: 'look through your sessions.',
    wasItYou: 'personal API tokens end.',
    lockedDown: 'Ask an administrator to open the account again.',
    fresh: 'seconds. Please sign in again, with a provider at its /redirect?max_age=',
    link: 'Sign in with an identity that is linked to it first, then link',
    signUp: 'Ask an administrator to invite you.',
    invitation: '<p>If you did not expect the invitation',
    lockDownPage: 'You are signed out everywhere. If it was you',
    ownPassword: 'is not changed here',
    growth: '/api/auth/security/lock-down',
  },
  {
    ways: ['password'],
    reused: 'look through your sessions and change your password.',
    wasItYou: 'personal API tokens end, and a new password is set by mail.',
    lockedDown: 'is the way back in: set a new password with the link in our other mail. If',
    fresh: 'seconds. Confirm who you are with your password at',
    link: 'Sign in with your password first, then link',
    signUp: 'Ask an administrator to invite you.',
    invitation: 'Without a password you set one by mail the next time.',
    lockDownPage: 'and set a new password by mail.',
    ownPassword: '/api/auth/password/change',
    growth: '/api/auth/password/forgot',
  },
  {
    ways: ['otp'],
    reused: 'look through your sessions.',
    wasItYou: 'personal API tokens end.',
    lockedDown: 'is the way back in: sign in by a code from a mail. If',
    fresh: 'seconds. Confirm who you are with a mailed code at',
    link: 'Sign in with a code by mail first, then link',
    signUp: 'Sign in by a code from a mail.',
    invitation: '<p>From then on you sign in by mail.',
    lockDownPage: 'You are signed out everywhere. If it was you',
    ownPassword: 'is not changed here',
    growth: '/api/auth/security/lock-down',
  },
  {
    ways: ['password', 'magic-link'],
    reused: 'look through your sessions and change your password.',
    wasItYou: 'personal API tokens end, and a new password is set by mail.',
    lockedDown: 'set a new password with the link in our other mail, or sign in by a link from a mail. If',
    fresh: 'seconds. Confirm who you are with your password at',
    link: 'Sign in with a link by mail first, then link',
    signUp: 'Sign in by a link from a mail.',
    invitation: '<p>Without a password you sign in by mail.',
    lockDownPage: 'and set a new password by mail.',
    ownPassword: '/api/auth/password/change',
    growth: '/api/auth/password/forgot',
  },
] as const;

describe.each(SAID)('What people read where only $ways, google and oidc let them in', (said) => {
  let app: LinkedApp;
  let count = 0;
  const ways: readonly string[] = said.ways;
  const address = () => `w${(count += 1)}@corp.example`;

  beforeAll(async () => {
    app = await LinkedApp.start({
      AUTH_METHODS: [...ways, 'google', 'oidc'].join(','),
      SIGNUP: 'domains:corp.example',
      OIDC_TRUST_EMAIL: 'true',
    });
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  /** The letter about an event of a user. */
  async function letter(event: Pick<AuditEvent, 'event'> & Partial<AuditEvent>): Promise<string> {
    const email = address();
    const userId = await app.user(email);
    const { app: running } = app.service;
    await running.get(UnitOfWork).run(async (manager) => {
      await running.get(Audit).add(manager, { outcome: 'success', userId, email, ...event });
    });
    return (await app.mailbox.next(email)).text;
  }

  it('in letters', async () => {
    const reused = await letter({ event: 'refresh.reused', outcome: 'failure' });
    expect(reused).toContain(said.reused);
    expect(reused).toContain(said.wasItYou);

    const details = { sessions: 1, by: 'session' };
    expect(await letter({ event: 'account.locked_down', details })).toContain(said.lockedDown);
  });

  it('in the letter about a lock-down by the link of a former address, which no other mail follows', async () => {
    const text = await letter({ event: 'account.locked_down', details: { by: 'link', address: 'former' } });

    expect(text).not.toContain('our other mail');
    expect(text.includes('set a new password with “forgotten password”')).toBe(ways.includes('password'));
  });

  it('in letters about locks', async () => {
    const [byPassword, byCode] = [{ method: 'password' }, { method: 'code' }];
    const hasLink = ways.includes('magic-link');
    const locked = async (method: object) =>
      letter({ event: 'account.locked', outcome: 'failure', details: { ...method } });

    expect((await locked(byPassword)).includes('sign in by a link from a mail')).toBe(hasLink);
    expect((await locked(byCode)).includes('by the link of a mail instead')).toBe(hasLink);
  });

  it('where a fresh sign-in is asked for', async () => {
    const email = address();
    const { body } = await app.token('oidc', { email });
    const session = app.service.http(body.token as string);
    putClockAhead(app.service, 700);

    const refused = await session.post('/api/auth/tokens').send({ name: 'laptop', scopes: ['records:read'] });
    const raised = await session.post('/api/auth/step-up').send({ password: 'a long wrong password' });

    expect([refused.status, refused.body.message]).toEqual([401, expect.stringContaining(said.fresh)]);
    if (ways.includes('password')) expect(raised.status).toBe(401);
    else {
      const instead = ways.includes('otp') ? 'Send a code.' : 'Sign in again.';
      expect(raised.body.details).toMatchObject([{ rule: 'switched_off', message: expect.stringContaining(instead) }]);
    }
  });

  it('where a provider does not speak for the mailbox', async () => {
    const known = address();
    await app.user(known);

    expect((await app.token('google', { email: known })).body.message).toContain(said.link);
    expect((await app.token('google', { email: address() })).body.message).toContain(said.signUp);
  });

  it('on pages', async () => {
    const guest = address();
    const order = { email: guest, name: 'Guest', role: 'viewer' };
    await app.service.http().post('/api/auth/invitations').send(order).expect(201);
    const { link } = await app.mailbox.next(guest);
    const { pathname, search } = new URL(link);

    expect((await app.service.anonymous().get(pathname + search)).text).toContain(said.invitation);
    const units = app.service.app.get(UnitOfWork);
    const id = await app.user(address());
    const lock = new URL(await units.run((manager) => app.service.app.get(LockDownLinks).make(manager, id, guest)));
    expect((await app.service.anonymous().get(lock.pathname + lock.search)).text).toContain(said.lockDownPage);
  });

  it('where a password is in the way', async () => {
    const email = address();
    const id = await app.user(email, { role: 'admin' });
    const { body } = await app.token('oidc', { email });
    const own = await app.service
      .http(body.token as string)
      .put(`/api/users/${id}`)
      .send({ password: 'a new long one' });
    expect([own.status, own.body.details]).toEqual([422, [expect.objectContaining({ rule: 'own' })]]);
    expect(own.body.details[0].message).toContain(said.ownPassword);

    const given = await app.user(address());
    await app.write('UPDATE users SET password_given_at = 1 WHERE id = ?', given);
    const growth = await app.service.http().put(`/api/users/${given}`).send({ role: 'editor' });
    expect(growth.body.details).toMatchObject([
      { rule: 'given_password', message: expect.stringContaining(said.growth) },
    ]);
  });
});
