import { DataSource } from 'typeorm';
import { AccountTries } from '../../../src/auth/limits/account-tries.js';
import { Clock } from '../../../src/common/clock.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { execute } from '../../../src/database/statements/statement.js';
import { partOf } from '../../support/forged-tokens.js';
import { waitFor } from '../../support/mailbox.js';
import { aPerson, PASSWORD, proved, signedIn, type Person, type Tokens } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface StoredSession {
  readonly counter: number;
  readonly revoked_at: number | null;
  readonly revoke_reason: string | null;
}

const DAY = 86_400_000;

describe('Sessions', () => {
  let service: TestApp;
  let second: TestApp;
  let ann: Person;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    second = await startTestApp({ RATE_LIMITS: 'off', DATABASE_URL: service.database.url });
  });

  beforeEach(async () => {
    ann = await aPerson(service);
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await second.close();
    await service.close();
  });

  const refresh = (token: string, on = service) =>
    on.anonymous().post('/api/auth/refresh').send({ refresh_token: token });
  const refreshed = async (token: string, on = service): Promise<Tokens> => (await refresh(token, on).expect(200)).body;
  const errorOf = async (token: string): Promise<string> => (await refresh(token)).body.error as string;
  const me = async ({ token }: Tokens, on = service): Promise<number> =>
    (await on.http(token).get('/api/auth/me')).status;
  const sidOf = ({ token }: Tokens): string => String(partOf(token, 1).sid);
  const storedOf = async (tokens: Tokens): Promise<StoredSession> => {
    const sql = 'SELECT counter, revoked_at, revoke_reason FROM auth_sessions WHERE id = ?';
    const [row] = await service.app.get(DataSource).query<StoredSession[]>(sql, [sidOf(tokens)]);
    if (!row) throw new Error('There is no such session.');
    return row;
  };
  /** Moves the clocks of both processes. */
  const moveClock = (ms: number): void => {
    const now = Date.now() + ms;
    for (const { app } of [service, second]) jest.spyOn(app.get(Clock), 'now').mockImplementation(() => now);
  };
  const auditOf = async (event: string): Promise<number> => {
    const sql = 'SELECT COUNT(*) AS n FROM auth_events WHERE event = ? AND user_id = ?';
    const [row] = await service.app.get(DataSource).query<{ n: number | string }[]>(sql, [event, ann.id]);
    return Number(row?.n);
  };

  describe('when they are refreshed', () => {
    it('go on with new tokens, as often as one likes', async () => {
      let tokens = await signedIn(service, ann);
      const sid = sidOf(tokens);
      const seen = new Set([tokens.refresh_token]);

      for (let turn = 1; turn <= 5; turn += 1) {
        tokens = await refreshed(tokens.refresh_token);
        seen.add(tokens.refresh_token);
        expect([await me(tokens), sidOf(tokens)]).toEqual([200, sid]);
      }

      expect(seen.size).toBe(6);
      expect((await storedOf(tokens)).counter).toBe(5);
    });

    it('by ten tabs at once are refreshed once, and all get the same successor', async () => {
      const tokens = await signedIn(service, ann);

      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, tab) => refreshed(tokens.refresh_token, tab % 2 ? service : second)),
      );

      expect(new Set(answers.map(({ refresh_token: successor }) => successor)).size).toBe(1);
      expect((await storedOf(tokens)).counter).toBe(1);
      expect(await auditOf('refresh.reused')).toBe(0);
    });

    it('end when a token is shown whose successor was used, and the good one ends with them', async () => {
      const first = await signedIn(service, ann);
      const present = await refreshed((await refreshed(first.refresh_token)).refresh_token);
      expect(await me(present)).toBe(200);

      expect(await errorOf(first.refresh_token)).toBe('refresh_token_reused');

      expect(await errorOf(present.refresh_token)).toBe('invalid_refresh_token');
      expect([await me(first), await me(present)]).toEqual([401, 401]);
      expect(await storedOf(first)).toMatchObject({ revoke_reason: 'reused' });
      expect(await auditOf('refresh.reused')).toBe(1);
    });

    it.each([
      ['a minute', 60_000],
      ['thirteen days', 13 * DAY],
      ['no time, by a clock that was put back', -60_000],
    ])('give the token that was never used again to a client that missed the answer, after %s', async (_, ms) => {
      moveClock(0);
      const first = await signedIn(service, ann);
      const lost = await refreshed(first.refresh_token);
      moveClock(ms);

      const again = await refreshed(first.refresh_token, second);

      expect(again.refresh_token).toBe(lost.refresh_token);
      expect([await me(again), await auditOf('refresh.reused')]).toEqual([200, 0]);
      const next = await refreshed(again.refresh_token);
      expect((await storedOf(next)).counter).toBe(2);
    });

    it('live no longer by asking for the same successor again', async () => {
      moveClock(0);
      const first = await signedIn(service, ann);
      const lost = await refreshed(first.refresh_token);
      moveClock(13 * DAY);
      await refresh(first.refresh_token).expect(200);
      moveClock(14 * DAY);

      expect([await errorOf(first.refresh_token), await errorOf(lost.refresh_token)]).toEqual(
        Array(2).fill('invalid_refresh_token'),
      );
      expect((await storedOf(first)).revoked_at).toBeNull();
    });

    it('do not after 14 days without', async () => {
      const [used, unused] = [await signedIn(service, ann), await signedIn(service, ann)];

      moveClock(14 * DAY - 60_000);
      const going = await refreshed(used.refresh_token);
      moveClock(14 * DAY + 1_000);

      expect(await errorOf(unused.refresh_token)).toBe('invalid_refresh_token');
      await refresh(going.refresh_token).expect(200);
    });

    it('do not after 30 days in any case', async () => {
      let tokens = await signedIn(service, ann);
      for (const days of [10, 20, 29.9]) {
        moveClock(days * DAY);
        tokens = await refreshed(tokens.refresh_token);
      }
      expect((await refresh(tokens.refresh_token)).body.refresh_expires_in).toBeLessThan(0.11 * 86_400);

      moveClock(30 * DAY + 1_000);

      expect(await errorOf(tokens.refresh_token)).toBe('invalid_refresh_token');
    });

    it('do not when the token is of a later time, as after a restore of the database', async () => {
      const tokens = await signedIn(service, ann);
      const later = await refreshed((await refreshed(tokens.refresh_token)).refresh_token);
      await service.app
        .get(UnitOfWork)
        .run((manager) => execute(manager, 'UPDATE auth_sessions SET counter = 0 WHERE id = ?', [sidOf(tokens)]));

      expect(await errorOf(later.refresh_token)).toBe('invalid_refresh_token');
      expect((await storedOf(tokens)).counter).toBe(0);
    });
  });

  describe('when their user leaves', () => {
    it('end alone, and leaving once more changes nothing', async () => {
      const [one, other] = [await signedIn(service, ann), await signedIn(service, ann)];

      for (let times = 0; times < 3; times += 1)
        await service.http(one.token).post('/api/auth/logout').send({}).expect(204);

      expect([await me(one), await me(other)]).toEqual([401, 200]);
      expect(await errorOf(one.refresh_token)).toBe('invalid_refresh_token');
      expect(await auditOf('logout')).toBe(1);
    });

    it('are in no cookie when the mode is null', async () => {
      const body = { email: ann.email, password: PASSWORD, mode: null };

      const answer = await service.anonymous().post('/api/auth/login').send(body);

      expect([answer.status, answer.headers['set-cookie']]).toEqual([422, undefined]);
    });

    it('end by no scope that is null: that does not ask for all of them', async () => {
      const [one, other] = [await signedIn(service, ann), await signedIn(service, ann)];

      const answer = await service.http(one.token).post('/api/auth/logout').send({ scope: null });

      expect([answer.status, answer.body.error]).toEqual([422, 'validation_failed']);
      expect([await me(one), await me(other)]).toEqual([200, 200]);
    });

    it('end all but this one', async () => {
      const all = [await signedIn(service, ann), await signedIn(service, ann), await signedIn(service, ann)] as const;

      for (let times = 0; times < 2; times += 1) {
        await service.http(all[1].token).post('/api/auth/logout').send({ scope: 'others' }).expect(204);
      }

      expect(await Promise.all(all.map((tokens) => me(tokens)))).toEqual([401, 200, 401]);
      expect(await auditOf('logout')).toBe(1);
    });

    it('end all, by the refresh token alone', async () => {
      const all = [await signedIn(service, ann), await signedIn(service, ann)] as const;
      const body = { scope: 'all', refresh_token: all[0].refresh_token };

      for (let times = 0; times < 2; times += 1)
        await service.anonymous().post('/api/auth/logout').send(body).expect(204);

      expect(await Promise.all(all.map((tokens) => me(tokens)))).toEqual([401, 401]);
    });

    it.each(['others', 'all'])('do not end %s by the tokens of a session that is over', async (scope) => {
      const stolen = await signedIn(service, ann);
      await service.http(stolen.token).post('/api/auth/logout').send({}).expect(204);
      const good = await signedIn(service, ann);

      await service.http(stolen.token).post('/api/auth/logout').send({ scope }).expect(204);
      const body = { scope, refresh_token: stolen.refresh_token };
      await service.anonymous().post('/api/auth/logout').send(body).expect(204);

      expect(await me(good)).toBe(200);
    });
  });

  it('are listed with the present one marked, and end one by one; those of others are not found', async () => {
    const [one, other] = [await signedIn(service, ann), await signedIn(service, ann)];
    const foreign = await signedIn(service, await aPerson(service));

    const { body } = await service.http(one.token).get('/api/auth/sessions').expect(200);
    await service
      .http(foreign.token)
      .delete(`/api/auth/sessions/${sidOf(other)}`)
      .expect(404);
    expect(await me(other)).toBe(200);
    await service
      .http(one.token)
      .delete(`/api/auth/sessions/${sidOf(other)}`)
      .expect(204);

    const listed = body.data as { id: string; current: boolean }[];
    expect(new Map(listed.map(({ id, current }) => [id, current]))).toEqual(
      new Map([
        [sidOf(one), true],
        [sidOf(other), false],
      ]),
    );
    expect(JSON.stringify(body)).not.toMatch(/cmsr_|counter/);
    expect(await me(other)).toBe(401);
  });

  describe('end at once here, and within 5 seconds in another process,', () => {
    const ends: readonly (readonly [string, (tokens: Tokens) => PromiseLike<unknown>])[] = [
      ['when their user leaves', ({ token }) => service.http(token).post('/api/auth/logout').send({}).expect(204)],
      [
        'when their user is disabled',
        () => service.http().put(`/api/users/${ann.id}`).send({ disabled: true }).expect(200),
      ],
      ['when their user is deleted', () => service.http().delete(`/api/users/${ann.id}`).expect(204)],
      [
        'when an administrator sets another password',
        () => service.http().put(`/api/users/${ann.id}`).send({ password: 'another sentence, quite long' }).expect(200),
      ],
    ];

    it.each(ends)('%s', async (_, end) => {
      const tokens = await signedIn(service, ann);
      expect([await me(tokens), await me(tokens, second)]).toEqual([200, 200]);

      await end(tokens);

      expect(await me(tokens)).toBe(401);
      expect((await refresh(tokens.refresh_token, second)).status).toBe(401);
      await waitFor(async () => ((await me(tokens, second)) === 401 ? true : null), 'the end');
    });

    it('and so does what a role allows', async () => {
      await proved(service, ann);
      await service.http().put(`/api/users/${ann.id}`).send({ role: 'editor' }).expect(200);
      const tokens = await signedIn(service, ann);
      const write = async (on: TestApp): Promise<number> =>
        (await on.http(tokens.token).post('/api/cms/post').send({ title: 'T' })).status;
      expect([await write(service), await write(second)]).toEqual([201, 201]);

      await service.http().put(`/api/users/${ann.id}`).send({ role: 'viewer' }).expect(200);

      expect(await write(service)).toBe(403);
      await waitFor(async () => ((await write(second)) === 403 ? true : null), 'the lower role');
    });

    it('also while requests of theirs are being answered', async () => {
      const tokens = await signedIn(service, ann);
      const during = Array.from({ length: 30 }, () => me(tokens));

      await service.http(tokens.token).post('/api/auth/logout').send({}).expect(204);

      expect(await me(tokens)).toBe(401);
      expect((await Promise.all(during)).every((status) => [200, 401].includes(status))).toBe(true);
      expect(await me(tokens)).toBe(401);
    });
  });

  it('need no memory of a process: two of them serve one flow in turns', async () => {
    let tokens = await signedIn(second, ann);

    for (let turn = 0; turn < 6; turn += 1) {
      const [here, there] = turn % 2 ? [service, second] : [second, service];
      tokens = await refreshed(tokens.refresh_token, here);
      expect(await me(tokens, there)).toBe(200);
    }
    await service.http(tokens.token).post('/api/auth/logout').send({}).expect(204);

    expect((await refresh(tokens.refresh_token, second)).status).toBe(401);
  });

  it('leave no token in what their user sees of the audit or in the database', async () => {
    const tokens = await signedIn(service, ann);
    const present = await refreshed(tokens.refresh_token);
    const secrets = [tokens, present].flatMap((pair) => [pair.token, pair.refresh_token]);

    const stored = [];
    for (const table of ['auth_sessions', 'auth_events', 'users']) {
      stored.push(await service.app.get(DataSource).query<unknown>(`SELECT * FROM ${table}`));
    }

    for (const secret of secrets) expect(JSON.stringify(stored)).not.toContain(secret);
  });

  describe('Tries per account', () => {
    it.each([1, 5])(
      '%d of 100 that arrive together are taken, for an account that was not tried before',
      async (limit) => {
        const account = `crowd${limit}@example.com`;
        const [one, other] = [service.app.get(AccountTries), second.app.get(AccountTries)];

        const taken = await Promise.all(
          Array.from({ length: 100 }, (_, index) =>
            (index % 2 ? one : other).takeOf('code', account, { limit, seconds: 60 }),
          ),
        );

        expect(taken.filter(Boolean)).toHaveLength(limit);
      },
    );
  });
});
