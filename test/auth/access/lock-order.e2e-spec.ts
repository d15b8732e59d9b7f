import { Dialect, type Condition } from '../../../src/database/dialect/dialect.js';
import { mailedCode, sendLink, tokenOf, verifyCode, verifyLink } from '../../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import { aPerson, PASSWORD, proved, signedIn, type Person } from '../../support/sign-in.js';
import { statementsDuring } from '../../support/statements.js';

const NEW = 'another long password';
const PAGE = 'https://console.example.com/signed-in';

/** The tables in the order in which a unit of work locks their rows, with what locks them. */
const ORDER: readonly (readonly [table: string, lock: RegExp])[] = [
  ['users', /^HOLD users$/],
  [
    'auth_challenges',
    /^(SELECT .*Challenge\.token_hash = .* FOR UPDATE|UPDATE auth_challenges SET consumed_at|DELETE FROM auth_challenges)/,
  ],
  ['auth_sessions', /^(UPDATE auth_sessions SET (revoked_at|auth_time)|DELETE FROM auth_sessions)/],
  ['auth_identities', /^DELETE FROM auth_identities/],
  ['api_tokens', /^UPDATE api_tokens SET revoked_at/],
];

/** A user with a proved address and two sessions, the second of which asks. */
interface Actor extends Person {
  readonly token: string;
}

type Send = () => PromiseLike<{ readonly status: number }>;

describe('Units of work about credentials', () => {
  let service: MailedApp;
  let statements: string[];
  /** Rows that units of work have held, of whatever table. */
  const held: { readonly table: string; readonly values: Condition['values'] }[] = [];

  beforeAll(async () => {
    service = await startMailedApp({ REDIRECT_ALLOW_LIST: PAGE });
    await aPerson(service, { role: 'admin' });
    statements = statementsDuring(service);
    const dialect = service.app.get(Dialect);
    const hold = dialect.hold.bind(dialect);
    // On SQLite, whose units of work take turns, it is no statement.
    dialect.hold = (manager, table, which) => {
      statements.push(`HOLD ${table}`);
      held.push({ table, values: which.values });
      return hold(manager, table, which);
    };
  });

  afterAll(() => service.close());

  const forgot = async ({ email }: Person): Promise<string> => {
    await service.anonymous().post('/api/auth/password/forgot').send({ email }).expect(200);
    return tokenOf(await service.mailbox.next(email, /^A new password/));
  };

  async function exchangeCode({ email }: Person): Promise<string> {
    await sendLink(service, email, { redirect_to: PAGE });
    const token = tokenOf(await service.mailbox.next(email, /^Sign in to/));
    const form = await service
      .anonymous()
      .post('/api/auth/magic-link/verify')
      .type('form')
      .set('sec-fetch-site', 'same-origin')
      .send({ token });
    return new URL(String(form.headers.location)).searchParams.get('code') ?? '';
  }

  /** What is asked, after everything that comes before it has happened. */
  const FLOWS: Readonly<Record<string, (actor: Actor) => Promise<Send>>> = {
    'a sign-in by code': async ({ email }) => {
      const { code } = await mailedCode(service, service.mailbox, email);
      return () => verifyCode(service, email, code);
    },
    'a sign-in by link': async ({ email }) => {
      await sendLink(service, email);
      const token = tokenOf(await service.mailbox.next(email, /^Sign in to/));
      return () => verifyLink(service, token);
    },
    'a reset of the password': async (actor) => {
      const token = await forgot(actor);
      return () => service.anonymous().post('/api/auth/password/reset').send({ token, password: NEW });
    },
    'an exchange': async (actor) => {
      const code = await exchangeCode(actor);
      return () => service.anonymous().post('/api/auth/exchange').send({ code });
    },
    'an exchange for the second time': async (actor) => {
      const code = await exchangeCode(actor);
      await service.anonymous().post('/api/auth/exchange').send({ code }).expect(200);
      return async () => {
        const { status } = await service.anonymous().post('/api/auth/exchange').send({ code });
        return { status: status === 400 ? 200 : status };
      };
    },
    'a lock-down by link': async ({ id, email }) => {
      await service.http().put(`/api/users/${id}`).send({ role: 'author' }).expect(200);
      const token = tokenOf(await service.mailbox.next(email, /^Your role/));
      return () => service.anonymous().post('/api/auth/lock-down').send({ token });
    },
    'a lock-down by session': ({ token }) =>
      Promise.resolve(() => service.http(token).post('/api/auth/security/lock-down')),
    'a step-up by code': async ({ email, token }) => {
      const { code } = await mailedCode(service, service.mailbox, email);
      return () => service.http(token).post('/api/auth/step-up').send({ code });
    },
    'a change of the password': ({ token }) => {
      const change = { current_password: PASSWORD, password: NEW };
      return Promise.resolve(() => service.http(token).post('/api/auth/password/change').send(change));
    },
    'a change by an administrator': ({ id }) => {
      const change = { password: NEW, disabled: true };
      return Promise.resolve(() => service.http().put(`/api/users/${id}`).send(change));
    },
    'the end of the personal tokens': ({ id }) =>
      Promise.resolve(() => service.http().delete(`/api/users/${id}/tokens`)),
    'the end of a user': ({ id }) => Promise.resolve(() => service.http().delete(`/api/users/${id}?tokens=revoke`)),
  };

  /** Some travel together to a server. Without quotation marks around names. */
  const single = () => statements.flatMap((sql) => sql.replaceAll(/[`"]/g, '').split(/;\s*/));

  async function anActor(): Promise<Actor> {
    const person = await aPerson(service);
    await proved(service, person);
    await signedIn(service, person);
    return { ...person, ...(await signedIn(service, person)) };
  }

  it.each(Object.keys(FLOWS))('lock the user first, and then in one order: %s', async (name) => {
    const send = await FLOWS[name]?.(await anActor());
    statements.length = 0;

    const answer = await send?.();

    expect(answer?.status).toBeLessThan(300);
    // What is locked once more is locked already.
    const taken = [...new Set(single())].flatMap((sql) =>
      ORDER.flatMap(([table, lock], rank) => (lock.test(sql) ? [{ table, rank }] : [])),
    );
    expect(taken[0]?.table).toBe('users');
    expect(taken.length).toBeGreaterThan(1);
    expect(taken.map(({ rank }) => rank)).toEqual(taken.map(({ rank }) => rank).toSorted((a, b) => a - b));
  });

  it.each(['/api/auth/identities/999999', '/api/users/:id/identities/999999'])(
    'hold no user for an identity that is not there: %s',
    async (path) => {
      const { id, token } = await anActor();
      held.length = 0;

      const answer = await service.http(path.includes(':id') ? undefined : token).delete(path.replace(':id', `${id}`));

      expect([answer.status, held]).toEqual([404, []]);
    },
  );

  it('hold no admin for a user who is none', async () => {
    const { id, token } = await anActor();
    held.length = 0;

    await service.http(token).post('/api/auth/security/lock-down').expect(200);

    expect(new Set(held.flatMap(({ table, values }) => (table === 'users' ? values : [])))).toEqual(new Set([id]));
  });

  it('end the sessions of a user once, however many reasons there are', async () => {
    const { id } = await anActor();
    statements.length = 0;

    await service
      .http()
      .put(`/api/users/${id}`)
      .send({ disabled: true, password: NEW, email: `m${id}@example.com` })
      .expect(200);

    expect(single().filter((sql) => sql.startsWith('UPDATE auth_sessions SET revoked_at'))).toHaveLength(1);
  });

  it('end the sessions of an unproven user once with a reset of the password', async () => {
    const person = await aPerson(service);
    await signedIn(service, person);
    const token = await forgot(person);
    statements.length = 0;

    await service.anonymous().post('/api/auth/password/reset').send({ token, password: NEW }).expect(200);

    expect(single().filter((sql) => sql.startsWith('UPDATE auth_sessions SET revoked_at'))).toHaveLength(1);
  });
});
