import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { ERROR_STATUS, type ErrorName } from '../../src/common/errors/catalogue.js';
import { Clock } from '../../src/common/clock.js';
import { LOG } from '../../src/common/logging/logging.module.js';
import { outcomeUnknown } from '../../src/database/dialect/database-error.js';
import { Dialect } from '../../src/database/dialect/dialect.js';
import { Reads } from '../../src/database/statements/reads.js';
import { DatabaseProbe } from '../../src/health/database-probe.js';
import { Writer } from '../../src/database/statements/writer.js';
import { putClockAhead } from '../support/clock.js';
import { expectError, type Answer } from '../support/errors.js';
import { IdentityErrors, STAFF } from '../support/identity-errors.js';
import { MockIdentityProvider } from '../support/identity-provider.js';
import { waitFor } from '../support/mailbox.js';
import { manyTokens } from '../support/many-tokens.js';
import { publishingErrors } from '../support/publishing-errors.js';
import { collect, sendRaw } from '../support/raw-http.js';
import { withoutSearch } from '../support/search-errors.js';
import { aPerson, login, signedIn } from '../support/sign-in.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

describe('Errors', () => {
  let service: TestApp;
  let provider: MockIdentityProvider;
  let port: number;

  beforeAll(async () => {
    provider = await MockIdentityProvider.start();
    service = await startService();
    ({ port } = service.app.getHttpServer().address() as AddressInfo);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => Promise.all([service.close(), provider.stop()]));

  const methods = { AUTH_METHODS: 'password,otp,magic-link,google,oidc', OIDC_USERS: STAFF };
  const startService = () => startTestApp({ ...provider.environment, ...methods, RATE_LIMITS: 'login=0' });
  const get = (path: string) => service.http().get(path);
  const post = (path: string, body: object) => service.http().post(path).send(body);
  const raw = async (text: string) => (await sendRaw(port, text)).answers[0] as unknown as Answer;
  const postText = (text: string, type = 'application/json') =>
    service.http().post('/api/cms/post').set('Content-Type', type).send(text);

  async function timedOut(): Promise<Answer> {
    const accepted = once(service.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    const client = connect(port, '127.0.0.1');
    const [socket] = await accepted;
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    service.app.getHttpServer().emit('clientError', error, socket);
    return (await collect(client)).answers[0] as unknown as Answer;
  }

  async function unreachable(path: string, code = 'ECONNREFUSED'): Promise<Answer> {
    jest.spyOn(service.app.get(Reads), 'select').mockRejectedValue(Object.assign(new Error('at 10.0.0.1'), { code }));
    await service.app.get(DatabaseProbe).probe();
    return get(path);
  }

  /** A look at the database that began before it was gone may end after it. */
  const unready = (): Promise<Answer> =>
    waitFor(async () => {
      const answer = await unreachable('/health/ready');
      return answer.status === 200 ? null : answer;
    }, 'the service to notice');

  const twice = async (path: string, body: object): Promise<Answer> =>
    post(path, body)
      .expect(201)
      .then(() => post(path, body));

  async function lastAdmin(): Promise<Answer> {
    const { body } = await post('/api/users', { name: 'Ana', email: 'ana@example.com', role: 'admin' }).expect(201);
    return service.http().delete(`/api/users/${body.id}`);
  }

  async function tooMany(): Promise<Answer> {
    const answers = await Promise.all(Array.from({ length: 61 }, () => service.http(TOKENS.admin).get('/api/users')));
    return answers.find(({ status }) => status === 429) ?? get('/api/users');
  }

  async function typeInUse(): Promise<Answer> {
    await post('/api/admin/types', { name: 'note', label: 'Note', fields: [] }).expect(201);
    await post('/api/cms/note', { title: 'x' }).expect(201);
    return service.http().delete('/api/admin/types/note');
  }

  async function termInUse(): Promise<Answer> {
    await post('/api/cms/taxonomy', { type: 'category', name: 'Used' }).expect(201);
    await post('/api/cms/post', { title: 'x', terms: { category: ['used'] } }).expect(201);
    return service.http().delete('/api/cms/taxonomy/category/slug:used');
  }

  async function taxonomyNotEmpty(): Promise<Answer> {
    await post('/api/admin/taxonomies', { name: 'mood' }).expect(201);
    await post('/api/cms/taxonomy', { type: 'mood', name: 'Glad' }).expect(201);
    return service.http().delete('/api/admin/taxonomies/mood');
  }

  async function fieldInUse(): Promise<Answer> {
    const type = { name: 'car', label: 'Car', fields: [{ name: 'colour', type: 'string' }] };
    await post('/api/admin/types', type).expect(201);
    await post('/api/cms/car', { title: 'x', colour: 'red' }).expect(201);
    return service.http().put('/api/admin/types/car').send({ fields: [] });
  }

  async function unknownRevision(): Promise<Answer> {
    const { body } = await post('/api/cms/post', { title: 'Known' }).expect(201);
    return get(`/api/cms/post/${body.data.id}/revisions/1`);
  }

  async function damagedRevision(): Promise<Answer> {
    const { body } = await post('/api/cms/post', { title: 'Damaged' }).expect(201);
    const writer = service.app.get(Writer, { strict: false });
    await writer.source.query("UPDATE revisions SET snapshot = x'00' WHERE record_id = ?", [body.data.id]);
    return get(`/api/cms/post/${body.data.id}/revisions/${Date.parse(body.data.updated_at as string)}`);
  }

  async function damagedRecord(): Promise<Answer> {
    const { body } = await post('/api/cms/post', { title: 'Damaged' }).expect(201);
    const writer = service.app.get(Writer, { strict: false });
    await writer.source.query("UPDATE record_contents SET data = '{' WHERE record_id = ?", [body.data.id]);
    return service.http().put(`/api/cms/post/${body.data.id}`).send({ title: 'New' });
  }

  async function twoInOneSecond(): Promise<Answer> {
    const second = 4_000_000_000;
    jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(second * 1_000);
    const { body } = await post('/api/cms/post', { title: 'First' }).expect(201);
    await service.http().put(`/api/cms/post/${body.data.id}`).send({ title: 'Second' }).expect(200);
    return get(`/api/cms/post/${body.data.id}/revisions/${second}`);
  }

  async function stale(): Promise<Answer> {
    const { body } = await post('/api/cms/post', { title: 'Stale' }).expect(201);
    return service.http().put(`/api/cms/post/${body.data.id}`).set('If-Match', '"99"').send({ title: 'New' });
  }

  async function disabledAccount(): Promise<Answer> {
    const off = await aPerson(service);
    await service.http().put(`/api/users/${off.id}`).send({ disabled: true }).expect(200);
    return login(service, off);
  }

  async function twiceRefreshed(): Promise<Answer> {
    let { refresh_token: token } = await signedIn(service, await aPerson(service));
    const first = token;
    const refresh = (shown: string) => service.anonymous().post('/api/auth/refresh').send({ refresh_token: shown });
    for (let times = 0; times < 2; times += 1) token = (await refresh(token)).body.refresh_token as string;
    return refresh(first);
  }

  async function otherOrigin(): Promise<Answer> {
    const { refresh_token: token } = await signedIn(service, await aPerson(service));
    const headers = { Cookie: `cms_refresh=${token}`, Origin: 'https://evil.example' };
    return service.anonymous().post('/api/auth/refresh').set(headers);
  }

  async function unknownSession(): Promise<Answer> {
    const { token } = await signedIn(service, await aPerson(service));
    return service.http(token).delete('/api/auth/sessions/none');
  }

  const identities = new IdentityErrors(
    () => service,
    () => provider,
  );
  const callback = (query: string) => service.anonymous().get(`/api/auth/google/callback?${query}`);

  async function withIdToken(claims: object): Promise<Answer> {
    const idToken = await provider.idToken({ aud: 'google-ios', nonce: 'n', email_verified: true, ...claims });
    return post('/api/auth/google/token', { id_token: idToken, nonce: 'n' }).unset('Authorization');
  }

  /** Google vouches for a domain that is not its own, for an account whose address is not proved yet. */
  async function hearsay(): Promise<Answer> {
    const { email } = await aPerson(service);
    return withIdToken({ sub: email, email });
  }

  async function unreachableProvider(): Promise<Answer> {
    // One that has not asked the provider yet.
    const fresh = await startService();
    provider.behaviour = { discovery: 'html' };
    const answer = await fresh.anonymous().get('/api/auth/oidc/redirect');
    provider.behaviour = {};
    await fresh.close();
    return answer;
  }

  function broken(): PromiseLike<Answer> {
    jest.spyOn(service.app.get(Clock), 'now').mockImplementation(() => {
      throw new TypeError('SELECT secret FROM nowhere');
    });
    return post('/api/cms/post', { title: 'x' });
  }

  async function oldSignIn(): Promise<Answer> {
    const { token } = await signedIn(service, await aPerson(service));
    putClockAhead(service, 660);
    return service
      .http(token)
      .post('/api/auth/tokens')
      .send({ name: 'late', scopes: ['records:read'] });
  }

  /** The test with a real server that does not answer is in `unanswered-commits.e2e-spec.ts`. */
  function unconfirmed(): PromiseLike<Answer> {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    jest.spyOn(service.app.get(Dialect), 'commit').mockRejectedValue(outcomeUnknown(cause));
    return post('/api/cms/post', { title: 'x' });
  }

  const provoke: Record<ErrorName, () => PromiseLike<Answer>> = {
    ...publishingErrors(() => service),
    malformed_request: () => raw('GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n'),
    malformed_json: () => postText('{"title": '),
    invalid_query: () => get('/api/cms/post?colour=red'),
    invalid_cursor: () => get('/api/cms/post?cursor=junk'),
    invalid_state: () => callback('code=x&state=y'),
    invalid_code_exchange: () => post('/api/auth/exchange', { code: 'junk' }),
    unauthorized: () => service.anonymous().get('/api/cms/post'),
    invalid_token: () => service.http('some-other-token-0123456789').get('/api/cms/post'),
    invalid_credentials: () => login(service, { email: 'nobody@example.com' }),
    invalid_code: () =>
      service.anonymous().post('/api/auth/otp/verify').send({ email: 'nobody@example.com', code: '000000' }),
    invalid_link: () =>
      service
        .anonymous()
        .post('/api/auth/magic-link/verify')
        .send({ token: 'x'.repeat(43) }),
    invalid_refresh_token: () => service.anonymous().post('/api/auth/refresh').send({ refresh_token: 'junk' }),
    refresh_token_reused: twiceRefreshed,
    account_disabled: disabledAccount,
    csrf_rejected: otherOrigin,
    session_not_found: unknownSession,
    insufficient_user_authentication: oldSignIn,
    too_many_tokens: () => manyTokens(service),
    access_denied: () => callback('error=access_denied'),
    invalid_id_token: () => withIdToken({ aud: 'somebody-else' }),
    signup_closed: () => withIdToken({ sub: 'new', email: 'new@gmail.com' }),
    provider_email_unverified: () => withIdToken({ sub: 'unproved', email_verified: false }),
    insufficient_scope: () => service.http(TOKENS.reader).post('/api/cms/post').send({ title: 'x' }),
    not_found: () => get('/nothing/here'),
    revision_not_found: unknownRevision,
    revision_damaged: damagedRevision,
    record_damaged: damagedRecord,
    record_not_found: () => get('/api/cms/post/99999'),
    type_not_found: () => get('/api/cms/nothing'),
    taxonomy_not_found: () => get('/api/cms/taxonomy/nothing'),
    term_not_found: () => get('/api/cms/taxonomy/category/99999'),
    user_not_found: () => get('/api/users/99999'),
    token_not_found: () => get('/api/admin/tokens/99999'),
    method_not_allowed: () => service.http().patch('/health/live'),
    request_timeout: timedOut,
    link_over: () => service.anonymous().get(`/api/auth/password/reset?token=${'x'.repeat(43)}`),
    payload_too_large: () => postText(JSON.stringify({ title: 'x'.repeat(4 * 1_048_576) })),
    uri_too_long: () => get(`/api/cms/post?fields=${'x'.repeat(9_000)}`),
    unsupported_media_type: () => postText('title=x', 'application/x-www-form-urlencoded'),
    expectation_failed: () => raw('POST / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nContent-Length: 2\r\n\r\n{}'),
    headers_too_large: () => raw(`GET / HTTP/1.1\r\nHost: x\r\nX-Bomb: ${'x'.repeat(40_000)}\r\n\r\n`),
    ambiguous_revision: twoInOneSecond,
    slug_taken: () => twice('/api/cms/post', { title: 'One', slug: 'taken' }),
    email_taken: () => twice('/api/users', { name: 'Bob', email: 'bob@example.com' }),
    type_exists: () => twice('/api/admin/types', { name: 'event', label: 'Event', fields: [] }),
    type_not_empty: typeInUse,
    type_in_use: fieldInUse,
    taxonomy_exists: () => twice('/api/admin/taxonomies', { name: 'colour' }),
    taxonomy_not_empty: taxonomyNotEmpty,
    taxonomy_in_use: () => service.http().delete('/api/admin/taxonomies/category'),
    term_exists: () => twice('/api/cms/taxonomy', { type: 'category', name: 'Twice' }),
    term_in_use: termInUse,
    last_admin: lastAdmin,
    account_link_required: hearsay,
    identity_taken: () => identities.foreignIdentity(),
    managed_elsewhere: () => identities.managedRole(),
    last_credential: () => identities.lastCredential(),
    identity_not_found: () => identities.unknownIdentity(),
    no_session: () => identities.withoutSession(),
    role_not_granted: () => identities.outsider(),
    invalid_logout_token: () => service.anonymous().post('/api/auth/oidc/backchannel-logout'),
    version_conflict: stale,
    validation_failed: () => post('/api/cms/post', { title: 7, colour: 'red' }),
    too_many_requests: tooMany,
    internal_error: broken,
    provider_unavailable: unreachableProvider,
    provider_not_configured: () => service.anonymous().get('/api/auth/apple/redirect'),
    overloaded: () => unreachable('/api/cms/post/1'),
    outcome_unknown: unconfirmed,
    storage_full: () => unreachable('/api/cms/post/1', 'ER_RECORD_FILE_FULL'),
    search_unavailable: () => withoutSearch(service),
    not_ready: unready,
  };

  it.each(Object.keys(ERROR_STATUS) as ErrorName[])('answers %s in the one shape of all errors', async (name) => {
    expectError(await provoke[name](), name);
  });

  it('says when to come back after too_many_requests and overloaded', async () => {
    expect((await tooMany()).headers['retry-after']).toMatch(/^\d+$/);
    expect((await unreachable('/api/cms/post/1')).headers['retry-after']).toBe('1');
  });

  it('are logged with a stack where something is broken, and in a line where a rule refuses for a time', async () => {
    // One that has logged nothing yet: equal lines within a second are joined.
    const [earlier, fresh] = [service, await startService()];
    service = fresh;
    const log = service.app.get<Logger>(LOG);
    const [warn, error] = [jest.spyOn(log, 'warn'), jest.spyOn(log, 'error')];
    // What works in the background meets the broken clock as well, and logs it without a request.
    const ofRequests = (calls: readonly (readonly unknown[])[]) =>
      calls.filter(([facts]) => typeof facts === 'object' && facts !== null && 'request_id' in facts);

    await provoke.provider_not_configured();
    await provoke.internal_error();
    jest.spyOn(service.app.get(Clock), 'now').mockRestore();
    await provoke.overloaded();
    service = earlier;
    await fresh.close();

    expect(ofRequests(warn.mock.calls)).toEqual([
      [{ request_id: expect.any(String), error: 'provider_not_configured' }, expect.any(String)],
      [{ request_id: expect.any(String), error: 'overloaded', reason: 'ECONNREFUSED' }, expect.any(String)],
    ]);
    expect(ofRequests(error.mock.calls)).toEqual([
      [{ request_id: expect.any(String), err: expect.any(Error) }, expect.any(String)],
    ]);
  });

  it('does not answer a body of thousands of faults with a longer one', async () => {
    const nul = await postText(`[${Array(110_000).fill('"\\u0000"').join()}]`);
    const long = await postText(JSON.stringify({ ['x'.repeat(400_000)]: Array(50_000).fill('\u0000') }));
    const unknown = await post(
      '/api/cms/post',
      Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`f${n}`, n])),
    );

    for (const answer of [nul, long, unknown]) {
      expectError(answer, 'validation_failed');
      expect(answer.text.length).toBeLessThan(100_000);
    }
  });
});
