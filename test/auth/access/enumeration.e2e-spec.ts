import * as argon2 from '@node-rs/argon2';
import { DataSource } from 'typeorm';
import { Audit } from '../../../src/audit/audit.js';
import { AccountLocks } from '../../../src/auth/limits/account-tries.js';
import { Clock } from '../../../src/common/clock.js';
import { Settings } from '../../../src/config/settings.js';
import { Writer } from '../../../src/database/statements/writer.js';
import { expectError } from '../../support/errors.js';
import { queued } from '../../support/letters.js';
import { mailedCode, sendCode, tokenOf, verifyCode, verifyLink } from '../../support/mail-sign-in.js';
import { Mailbox } from '../../support/mailbox.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import { aPerson, login, PASSWORD, prepared, signedIn } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

/** Hashing as it is, where each call is seen. */
jest.mock('@node-rs/argon2', () => {
  const actual = jest.requireActual<typeof argon2>('@node-rs/argon2');
  return { ...actual, hash: jest.fn(actual.hash), verify: jest.fn(actual.verify) };
});

type Who = 'known' | 'unknown' | 'disabled' | 'passwordless';
interface Work {
  readonly statements: readonly string[];
  /** The cost of each hash that a password was compared with. */
  readonly verified: readonly (string | undefined)[];
  readonly hashed: number;
}

type Post = (path: string, body: object) => PromiseLike<{ status: number; body: unknown }>;

describe('A caller that asks for mail', () => {
  let service: MailedApp;
  let strangers = 0;

  beforeAll(async () => {
    service = await startMailedApp();
    // What the start asks of the users is asked before the requests are watched.
    await service.run('first-admin.warn');
    // Noted events are written beside requests, also those of earlier ones: here not at all.
    service.app.get(Audit).write = () => Promise.resolve();
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const post: Post = (path, body) => service.anonymous().post(path).send(body);

  async function addressOf(who: Who): Promise<string> {
    strangers += 1;
    if (who === 'unknown') return `stranger${strangers}@example.com`;
    const { id, email } = await aPerson(service, who === 'passwordless' ? { password: null } : {});
    if (who === 'disabled') await service.http().put(`/api/users/${id}`).send({ disabled: true }).expect(200);
    return email;
  }

  /** What a request costs: statements, by writing and by reading. */
  async function workOf(request: () => PromiseLike<unknown>): Promise<Work> {
    const sources = [service.app.get(Writer).source, service.app.get(DataSource)];
    const logged: string[] = [];
    for (const source of sources) {
      jest.spyOn(source.logger, 'logQuery').mockImplementation((sql: string) => void logged.push(sql));
      source.setOptions({ logging: ['query'] });
    }
    jest.mocked(argon2.hash).mockClear();
    jest.mocked(argon2.verify).mockClear();
    await request();
    for (const source of sources) source.setOptions({ logging: false });
    // On SQLite the numbers of a statement stand in its text.
    const statements = logged
      .filter((sql) => /auth_challenges|auth_counters|FROM .users|INTO .?mail_queue|INTO auth_events/.test(sql))
      .map((sql) => sql.replaceAll(/\b\d+\b/g, '?'));
    // The parameters of a hash say how long it takes.
    const verified = jest
      .mocked(argon2.verify)
      .mock.calls.map(([hash]) => /^\$.*?(?=\$[^$]*\$[^$]*$)/.exec(String(hash))?.[0]);
    return { statements, verified, hashed: jest.mocked(argon2.hash).mock.calls.length };
  }

  const ASKS: readonly (readonly [string, string, object])[] = [
    ['a code', '/api/auth/otp/send', {}],
    ['a link', '/api/auth/magic-link', {}],
    ['a new password', '/api/auth/password/forgot', {}],
    ['being let in with a wrong code', '/api/auth/otp/verify', { code: '000000' }],
  ];
  /** How many statements are to be seen at least, so that none is taken for alike where none was. */
  const LEAST: Readonly<Record<string, number>> = { '/api/auth/otp/verify': 1 };

  it.each(ASKS)(
    'for %s is answered alike, by the very same statements, whether they have an account or not',
    async (_, path, more) => {
      const seen: (Work & { status: number; body: unknown })[] = [];
      for (const who of ['known', 'unknown', 'disabled', 'passwordless'] as const) {
        const email = await addressOf(who);
        let answer = { status: 0, body: {} as unknown };
        const work = await workOf(async () => {
          const { status, body } = await post(path, { email, ...more });
          const { request_id: _id, ...rest } = body as Record<string, unknown>;
          answer = { status, body: rest };
        });
        seen.push({ ...answer, ...work });
      }

      expect(seen[0]?.statements.length).toBeGreaterThanOrEqual(LEAST[path] ?? 4);
      expect(seen[0]).toMatchObject({ verified: [], hashed: 0 });
      expect(seen).toEqual(seen.map(() => seen[0]));
    },
  );

  it('or sends wrong codes is answered alike, by the same statements, until the lock and beyond', async () => {
    const begin = jest.spyOn(service.app.get(AccountLocks), 'begin').mockReturnValue();
    const seen: unknown[] = [];
    for (const who of ['known', 'unknown', 'disabled', 'passwordless'] as const) {
      const email = await addressOf(who);
      const answers: number[] = [];
      const { statements } = await workOf(async () => {
        for (let round = 0; round < 3; round += 1) {
          jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(Date.now() + round * 61_000);
          answers.push((await sendCode(service, email)).status);
          for (let tries = 0; tries < 5; tries += 1) answers.push((await verifyCode(service, email, '000000')).status);
        }
      });
      seen.push({ answers, statements });
    }

    // Written beside the request, since what follows from it is a mail for an account only.
    expect(begin).toHaveBeenCalledTimes(4);
    expect(seen).toEqual(seen.map(() => seen[0]));
    expect(seen[0]).toMatchObject({
      answers: [200, ...Array(5).fill(401), 200, ...Array(5).fill(401), 200, ...Array(5).fill(429)],
    });
  });

  it('or sends a wrong password is answered alike, after one hash of the same cost and the same statements', async () => {
    const seen: (Work & { status: number })[] = [];
    for (const who of ['known', 'unknown', 'disabled', 'passwordless'] as const) {
      const email = await addressOf(who);
      let status = 0;
      const work = await workOf(async () => {
        ({ status } = await post('/api/auth/login', { email, password: 'a wrong password' }));
      });
      seen.push({ status, ...work });
    }

    expect(seen[0]).toMatchObject({ status: 401, verified: ['$argon2id$v=19$m=64,t=1,p=1'], hashed: 0 });
    expect(seen[0]?.statements.length).toBeGreaterThan(1);
    expect(seen).toEqual(seen.map(() => seen[0]));
  });

  it('for a code does not wait for the mail to go, whether they have an account or not', async () => {
    await queued(service.app, (rows) => rows.length === 0);
    service.mailbox.server.hang();

    for (const who of ['known', 'unknown'] as const) {
      expect((await sendCode(service, await addressOf(who))).status).toBe(200);
    }

    const rows = await queued(service.app, ({ length }) => length === 2);
    expect(rows.map((row) => row.last_error)).toEqual([null, null]);
    service.mailbox.server.take();
  });
});

describe('The first proof of a mailbox', () => {
  let service: TestApp;
  let second: TestApp;
  let mailbox: Mailbox;

  beforeAll(async () => {
    mailbox = await Mailbox.open();
    service = await startTestApp({ ...mailbox.environment, RATE_LIMITS: 'off' });
    const { dataDir } = service.app.get(Settings);
    const same = { ...mailbox.environment, DATABASE_URL: service.database.url, DATA_DIR: dataDir };
    second = await startTestApp({ ...same, RATE_LIMITS: 'off' });
  });

  afterAll(async () => {
    await second.close();
    await service.close();
    await mailbox.close();
  });

  it.each(['code', 'link'])(
    'by %s takes password, sessions, identities and API tokens of the user who was there before',
    async (by) => {
      const eve = await aPerson(service, { role: 'admin' });
      await prepared(service, eve);
      const { token: access } = await signedIn(service, eve);
      const made = await service
        .http(access)
        .post('/api/admin/tokens')
        .send({ name: 'eve', scopes: ['records:read'] });
      const apiToken = made.body.data.token as string;
      await service.http(apiToken).get('/api/cms/post').expect(200);
      const mail = await mailedCode(service, mailbox, eve.email);

      const answer = await (by === 'code'
        ? verifyCode(service, eve.email, mail.code)
        : verifyLink(service, tokenOf(mail)));

      expect(answer.status).toBe(200);
      expectError(await service.http(access).get('/api/auth/me'), 'invalid_token');
      expectError(await service.http(apiToken).get('/api/cms/post'), 'invalid_token');
      expectError(await login(service, eve, PASSWORD), 'invalid_credentials');
      const { body } = await service.http().get('/api/admin/audit?event=account.stripped&per_page=1');
      expect(body.data[0]).toMatchObject({ details: { password: true, sessions: 1, tokens: 1 } });
    },
  );

  it('leaves what was got by it, whatever is asked for afterwards', async () => {
    const ann = await aPerson(service);
    const first = await mailedCode(service, mailbox, ann.email);
    const { body } = await verifyCode(service, ann.email, first.code);
    await service.anonymous().post('/api/auth/password/forgot').send({ email: ann.email }).expect(200);
    const link = tokenOf(await mailbox.next(ann.email));

    const me = await service.http(body.token as string).get('/api/auth/me');
    expect([me.status, link]).toEqual([200, expect.stringMatching(/^[\w-]{43}$/)]);
  });

  it('works when two processes on one database take turns', async () => {
    const ann = await aPerson(service);
    expect((await sendCode(service, ann.email)).status).toBe(200);
    const mail = await mailbox.next(ann.email);

    expect((await sendCode(second, ann.email)).status).toBe(200);
    expectError(await verifyCode(second, ann.email, '000000'), 'invalid_code');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => verifyCode(n % 2 === 0 ? service : second, ann.email, mail.code)),
    );

    const opened = answers.filter(({ status }) => status === 200);
    // The notice of the proof may have come as well.
    const codes = (await mailbox.mailsTo(ann.email)).filter(({ code }) => code !== '');
    expect([opened.length, codes.length]).toEqual([1, 1]);
    const me = await second.http(opened[0]?.body.token as string).get('/api/auth/me');
    expect(me.body.data.user.email).toBe(ann.email);
  });
});
