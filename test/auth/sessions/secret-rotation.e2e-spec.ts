import { Child, production, SECRETS } from '../../support/child-service.js';
import { createMigratedDatabase } from '../../support/migrated-database.js';
import { runner } from '../../support/cli-runner.js';
import { partOf } from '../../support/forged-tokens.js';
import { Mailbox } from '../../support/mailbox.js';
import { PASSWORD, type Tokens } from '../../support/sign-in.js';
import type { TestDatabase } from '../../support/test-database.js';

const EMAIL = 'ann@example.com';
const NEXT = 'the-next-secret-0123456789-abcdefgh';
const THIRD = 'a-third-secret-0123456789-abcdefghi';
const REFUSAL =
  'APP_SECRET is not the one that this database is used with. Set it back; or, to change it, set APP_SECRET_OLD to the former one; or, if that is lost, run: npm run cli -- secret replace.';
/** A port on which no mail server listens. */
const NO_MAIL = 'smtp://127.0.0.1:1';

describe('Processes on one database', () => {
  let database: TestDatabase;
  let mailbox: Mailbox;
  const children: Child[] = [];

  beforeEach(async () => {
    database = await createMigratedDatabase();
    mailbox = await Mailbox.open();
  });

  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill('SIGKILL')));
    await mailbox.close();
    await database.drop();
  });

  const settings = (secret: string, more: Record<string, string> = {}): Record<string, string> => ({
    ...production(database),
    RATE_LIMITS: 'off',
    APP_SECRET: secret,
    ...more,
  });

  async function start(secret: string, more: Record<string, string> = {}): Promise<{ url: string; child: Child }> {
    const child = new Child('main.js', [], settings(secret, more));
    children.push(child);
    return { url: await child.address(), child };
  }

  /** How a process with these settings ends that may not start. */
  async function refused(secret: string, more: Record<string, string> = {}): Promise<[number | null, string]> {
    const child = new Child('main.js', [], settings(secret, more));
    children.push(child);
    const { code } = await child.ended;
    return [code, child.stderr.trim()];
  }

  async function post(url: string, path: string, body: object): Promise<Tokens & { status: number }> {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { ...((await answer.json()) as Tokens), status: answer.status };
  }

  async function me(url: string, token: string): Promise<number> {
    return (await fetch(`${url}/api/auth/me`, { headers: { Authorization: `Bearer ${token}` } })).status;
  }

  /** With a mailbox that is proved: a code then takes nothing away. */
  async function addAnn(): Promise<void> {
    const line = `user create --email ${EMAIL} --name Ann --role admin --verified --password-stdin`;
    expect((await runner(settings(SECRETS.app))(line, PASSWORD)).code).toBe(0);
  }

  it('have one secret: another one does not start, and harms nothing', async () => {
    const first = await start(SECRETS.app);
    await addAnn();
    const { token } = await post(first.url, '/api/auth/login', { email: EMAIL, password: PASSWORD });

    expect(await refused(NEXT)).toEqual([78, REFUSAL]);
    expect(await refused(NEXT, { APP_SECRET_OLD: THIRD })).toEqual([78, REFUSAL]);
    const doctor = await runner(settings(NEXT))('doctor');
    const list = await runner(settings(NEXT))('token list');

    expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining(`npm start would refuse: ${REFUSAL}`)]);
    expect([list.code, list.error]).toEqual([1, REFUSAL]);
    expect(await me(first.url, token)).toBe(200);
    const again = await post(first.url, '/api/auth/login', { email: EMAIL, password: PASSWORD });
    expect(partOf(again.token, 0).kid).toBe(partOf(token, 0).kid);
  });

  it('go over to another secret one after the other, and nothing that the old one sealed is lost', async () => {
    const first = await start(SECRETS.app, { SMTP_URL: NO_MAIL });
    await addAnn();
    const before = await post(first.url, '/api/auth/login', { email: EMAIL, password: PASSWORD });
    expect((await post(first.url, '/api/auth/otp/send', { email: EMAIL })).status).toBe(200);

    const second = await start(NEXT, { APP_SECRET_OLD: SECRETS.app, ...mailbox.environment });
    // Otherwise either of them may try to send the mail each time it is due, the first one in vain.
    first.child.pause();
    const mail = await mailbox.next(EMAIL);
    first.child.resume();
    const byCode = await post(second.url, '/api/auth/otp/verify', { email: EMAIL, code: mail.code });
    const refreshed = await post(second.url, '/api/auth/refresh', { refresh_token: before.refresh_token });

    expect([byCode.status, refreshed.status]).toEqual([200, 200]);
    expect(partOf(refreshed.token, 0).kid).toBe(partOf(before.token, 0).kid);
    // The first process has opened the keys already, and goes on.
    expect([await me(second.url, before.token), await me(first.url, refreshed.token)]).toEqual([200, 200]);

    await Promise.all([first.child.kill('SIGTERM'), second.child.kill('SIGTERM')]);
    const third = await start(NEXT);
    const later = await post(third.url, '/api/auth/refresh', { refresh_token: refreshed.refresh_token });

    expect([later.status, partOf(later.token, 0).kid]).toEqual([200, partOf(before.token, 0).kid]);
    expect(await me(third.url, refreshed.token)).toBe(200);
    expect((await post(third.url, '/api/auth/refresh', { refresh_token: before.refresh_token })).status).toBe(401);
    expect(await refused(SECRETS.app)).toEqual([78, REFUSAL]);
  });

  it('read each other where both know both secrets, whichever is the present one', async () => {
    const old = await start(SECRETS.app, { APP_SECRET_OLD: NEXT });
    await addAnn();
    const next = await start(NEXT, { APP_SECRET_OLD: SECRETS.app });
    const { refresh_token: byNext } = await post(next.url, '/api/auth/login', { email: EMAIL, password: PASSWORD });
    const { refresh_token: byOld } = await post(old.url, '/api/auth/login', { email: EMAIL, password: PASSWORD });

    const answers = [
      await post(old.url, '/api/auth/refresh', { refresh_token: byNext }),
      await post(next.url, '/api/auth/refresh', { refresh_token: byOld }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('begin anew where the former secret is lost and the operator says so', async () => {
    const first = await start(SECRETS.app);
    await addAnn();
    const before = await post(first.url, '/api/auth/login', { email: EMAIL, password: PASSWORD });
    await first.child.kill('SIGTERM');

    const { code } = await runner(settings(THIRD))('secret replace');
    const { url } = await start(THIRD);
    const events = await runner(settings(THIRD))('audit list --event secret.replaced --json');

    expect(code).toBe(0);
    expect(JSON.parse(events.out)).toMatchObject([{ outcome: 'success', actor: { name: 'command line' } }]);
    expect((await post(url, '/api/auth/refresh', { refresh_token: before.refresh_token })).status).toBe(401);
    expect((await post(url, '/api/auth/login', { email: EMAIL, password: PASSWORD })).status).toBe(200);
    expect(await refused(SECRETS.app)).toEqual([78, REFUSAL]);
  });

  it('that begin together with two secrets are one that starts and one that does not', async () => {
    const both = [SECRETS.app, NEXT].map((secret) => new Child('main.js', [], settings(secret)));
    children.push(...both);

    const starts = await Promise.allSettled(both.map((child) => child.address()));

    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
