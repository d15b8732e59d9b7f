import { expectError } from '../../support/errors.js';
import { LinkedApp, STAFF } from '../../support/linked-app.js';
import { TOKENS } from '../../support/test-app.js';

interface Shown {
  readonly id: number;
  readonly provider: string;
}

describe('The identities of a user', () => {
  let app: LinkedApp;
  /** Where nothing but providers signs in. */
  let strict: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    app = await LinkedApp.start();
    strict = await LinkedApp.start({ AUTH_METHODS: 'google,apple' }, app);
    await app.user('break.glass@corp.example', { role: 'admin' });
  });

  afterAll(async () => {
    await strict.stop();
    await app.stop();
  });

  const address = () => `i${(count += 1)}@gmail.com`;
  const list = async (token: string): Promise<Shown[]> =>
    (await app.service.http(token).get('/api/auth/identities')).body.data as Shown[];
  const unlink = (token: string, id: number, where = app) =>
    where.service.http(token).delete(`/api/auth/identities/${id}`);
  const of = (id: number) => `/api/users/${id}/identities`;

  /** A user with identities at Google and Apple, signed in by password. */
  async function linked(fields: Parameters<LinkedApp['user']>[1] = {}) {
    const email = address();
    const id = await app.user(email, fields);
    const session = await app.session(email);
    for (const name of ['google', 'apple'] as const) {
      expect((await app.token(name, { email: 'x@elsewhere.example', sub: `${name}-${id}` }, session)).status).toBe(200);
    }
    return { email, id, session };
  }

  it('are listed for them, the oldest first, without those of others', async () => {
    const { session } = await linked();
    await linked();

    const { status, body } = await app.service.http(session).get('/api/auth/identities');

    expect([status, body.data]).toEqual([
      200,
      ['google', 'apple'].map((provider) => ({
        id: expect.any(Number),
        provider,
        email: 'x@elsewhere.example',
        created_at: expect.stringMatching(/Z$/),
        last_used_at: expect.stringMatching(/Z$/),
      })),
    ]);
  });

  it('are unlinked one by one, which ends the sessions that they began and is in the audit', async () => {
    const { id, session } = await linked();
    const begun = (await app.token('google', { sub: `google-${id}` })).body.token as string;
    const other = (await app.token('apple', { sub: `apple-${id}` })).body.token as string;
    const [google] = await list(session);

    expect((await unlink(session, google?.id ?? 0)).status).toBe(204);

    expect(await app.identities(id)).toEqual([`apple apple-${id}`]);
    expectError(await app.service.http(begun).get('/api/auth/me'), 'invalid_token');
    for (const token of [session, other]) expect((await app.service.http(token).get('/api/auth/me')).status).toBe(200);
    expectError(await unlink(session, google?.id ?? 0), 'identity_not_found');
    const { body } = await app.service.http().get(`/api/admin/audit?user_id=${id}&event=provider.unlink`);
    expect(body.data).toMatchObject([
      {
        provider: 'google',
        outcome: 'success',
        actor: { kind: 'user', id },
        details: { sessions: 2 },
        ip: '127.0.0.1',
      },
    ]);
  });

  it('keep the session that asks, though it was begun with the same provider', async () => {
    const { id } = await linked();
    const session = (await app.token('google', { sub: `google-${id}` })).body.token as string;
    const [google] = await list(session);

    await unlink(session, google?.id ?? 0);

    expect((await app.service.http(session).get('/api/auth/me')).status).toBe(200);
  });

  it('are not those of others', async () => {
    const [mine, theirs] = [await linked(), await linked()];
    const [identity] = await list(theirs.session);

    for (const id of [identity?.id ?? 0, 999_999]) expectError(await unlink(mine.session, id), 'identity_not_found');
    expectError(await app.service.http(mine.session).delete('/api/auth/identities/x'), 'identity_not_found');
    expect(await list(theirs.session)).toHaveLength(2);
  });

  it('are asked for with a session, and not with an API token', async () => {
    expectError(await app.service.http().get('/api/auth/identities'), 'invalid_token');
    expectError(await app.service.anonymous().get('/api/auth/identities'), 'unauthorized');
  });

  it('keep the last one where nothing else lets the user in, whichever request is quicker', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, session } = await linked();
      const identities = await list(session);

      const answers = await Promise.all(identities.map((identity) => unlink(session, identity.id, strict)));

      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
      for (const answer of answers.filter(({ status }) => status === 409)) expectError(answer, 'last_credential');
      expect(await app.identities(id)).toHaveLength(1);
    }
  });

  it.each([
    ['password,otp,google', 'set a password, prove your e-mail address or link another identity'],
    ['password,google', 'set a password or link another identity'],
    ['magic-link,google', 'prove your e-mail address or link another identity'],
    ['google,apple', 'link another identity'],
  ])('are kept, where AUTH_METHODS is %s, with the ways to go on that are open there', async (methods, ways) => {
    const some = await LinkedApp.start({ AUTH_METHODS: methods }, app);
    const { id, session } = await linked();
    await app.write('UPDATE users SET password_hash = NULL, email_verified_at = NULL WHERE id = ?', id);
    const [google, apple] = (await list(session)).map((identity) => identity.id);
    await unlink(session, Number(apple), some).expect(204);

    const refused = await unlink(session, Number(google), some);
    await some.stop();

    expectError(refused, 'last_credential');
    expect(refused.body.message).toBe(`Nothing else lets you in: ${ways} before you unlink this one.`);
  });

  it.each([
    ['a password', ['email_verified_at'], 204],
    ['a proved mailbox', ['password_hash'], 204],
    ['nothing', ['password_hash', 'email_verified_at'], 409],
  ])('are asked for the last one, where there is %s', async (_, missing, status) => {
    const { id, session } = await linked();
    for (const column of missing) await app.write(`UPDATE users SET ${column} = NULL WHERE id = ?`, id);
    const [first, last] = (await list(session)).map((identity) => identity.id);
    await unlink(session, Number(first)).expect(204);

    expect((await unlink(session, Number(last))).status).toBe(status);
  });

  describe('for administrators', () => {
    it('are listed and unlinked', async () => {
      const { id } = await linked();
      const begun = (await app.token('apple', { sub: `apple-${id}` })).body.token as string;
      const { body } = await app.service.http().get(of(id)).expect(200);
      expect(body.data).toMatchObject([{ provider: 'google' }, { provider: 'apple' }]);

      await app.service
        .http()
        .delete(`${of(id)}/${body.data[1].id}`)
        .expect(204);

      expect(await app.identities(id)).toEqual([`google google-${id}`]);
      expectError(await app.service.http(begun).get('/api/auth/me'), 'invalid_token');
      expectError(await app.service.http().delete(`${of(id)}/${body.data[1].id}`), 'identity_not_found');
    });

    it('are those of that very user', async () => {
      const [one, other] = [await linked(), await linked()];
      const { body } = await app.service.http().get(of(one.id));

      expectError(await app.service.http().delete(`${of(other.id)}/${body.data[0].id}`), 'identity_not_found');
      expectError(await app.service.http().get(of(999_999)), 'user_not_found');
      expectError(await app.service.http().delete(`${of(999_999)}/1`), 'user_not_found');
    });

    it('need the scopes, and all of the role of the user', async () => {
      const { id } = await linked({ role: 'editor' });
      const { body } = await app.service.http().get(of(id));
      expectError(await app.service.http(STAFF).get(of(id)), 'insufficient_scope');
      expect((await app.service.http(STAFF).get(of((await linked()).id))).status).toBe(200);
      expectError(await app.service.http(STAFF).delete(`${of(id)}/${body.data[0].id}`), 'insufficient_scope');
      expectError(await app.service.http(TOKENS.reader).get(of(id)), 'insufficient_scope');
      expectError(await app.service.http(TOKENS.reader).delete(`${of(id)}/${body.data[0].id}`), 'insufficient_scope');
      expect(await app.identities(id)).toHaveLength(2);
    });

    it('keep the one by which the last admin acts', async () => {
      const { id } = await linked({ role: 'admin' });
      await app.write('UPDATE users SET disabled_at = 1 WHERE id <> ?', id);
      await app.write('UPDATE users SET password_hash = NULL, email_verified_at = NULL WHERE id = ?', id);
      const { body } = await app.service.http().get(of(id));
      await app.service
        .http()
        .delete(`${of(id)}/${body.data[0].id}`)
        .expect(204);

      expectError(await app.service.http().delete(`${of(id)}/${body.data[1].id}`), 'last_admin');
    });
  });
});
