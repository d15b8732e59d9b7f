import { createHash } from 'node:crypto';
import { expectError } from '../../support/errors.js';
import { API_TOKENS, startTestApp, TOKENS, type TestApp } from '../../support/test-app.js';

const HASHED = 'a-secret-that-the-settings-hold-as-a-hash';
const ROUTE = '/api/admin/tokens';

describe('Access', () => {
  let service: TestApp;

  beforeAll(async () => {
    const sha256 = createHash('sha256').update(HASHED).digest('hex');
    service = await startTestApp({ API_TOKENS: `${API_TOKENS},hashed=sha256:${sha256};tokens:write` });
  });

  afterAll(() => service.close());

  const send = (authorization: string) => service.anonymous().get(ROUTE).set('Authorization', authorization);

  it('answers 401 unauthorized with a challenge when there is no credential', async () => {
    const { status, headers, body } = await service.anonymous().get(ROUTE);

    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer realm="cms"');
    expect(body.error).toBe('unauthorized');
  });

  it('answers 401 unauthorized when the header is empty', async () => {
    const { status, body } = await send('');

    expect([status, body.error]).toEqual([401, 'unauthorized']);
  });

  it.each([
    ['another scheme', `Basic ${Buffer.from(`admin:${TOKENS.admin}`).toString('base64')}`],
    ['a token without the word', TOKENS.admin],
    ['a word that begins so', `Bearers ${TOKENS.admin}`],
  ])('answers to %s as to no token, and says that one is missing', async (_, authorization) => {
    const { status, headers, body } = await send(authorization);

    expect([status, body.error]).toEqual([401, 'unauthorized']);
    expect(body.message).toContain('Bearer token is missing');
    expect(headers['www-authenticate']).toBe('Bearer realm="cms"');
  });

  it.each([
    [`Bearer ${TOKENS.reader}`, `Bearer ${TOKENS.admin}`],
    ['Basic eDp5', `Bearer ${TOKENS.admin}`],
    [`Bearer ${TOKENS.admin}`, ''],
  ])('answers 400 where Authorization was sent twice: %s and %s', async (...lines) => {
    const answer = await service
      .anonymous()
      .get(ROUTE)
      .set('Authorization', lines as never);

    expectError(answer, 'malformed_request');
  });

  it.each([
    ['the word alone', 'Bearer'],
    ['no token', 'Bearer '],
    ['two spaces', `Bearer  ${TOKENS.admin}`],
    ['a tab', `Bearer\t${TOKENS.admin}`],
    ['something after the token', `Bearer ${TOKENS.admin} more`],
    ['an unknown secret', 'Bearer some-other-token-0123456789'],
    ['a secret in upper case', `Bearer ${TOKENS.admin.toUpperCase()}`],
    ['a token with a wrong checksum', `Bearer cms_${'0'.repeat(44)}`],
    ['a token that was never issued', `Bearer cms_${'0'.repeat(38)}3rO5kI`],
    ['a key of every object', 'Bearer __proto__'],
    ['an unsigned JWT', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
    ['letters beyond ASCII', 'Bearer tökèn-tökèn-tökèn-tökèn'],
    ['two tokens', `Bearer ${TOKENS.admin}, Bearer ${TOKENS.admin}`],
    ['4,097 characters', `Bearer ${'a'.repeat(4_097)}`],
  ])('answers 401 invalid_token to %s', async (_, authorization) => {
    const { status, headers, body } = await send(authorization);

    expect([status, body.error]).toEqual([401, 'invalid_token']);
    expect(headers['www-authenticate']).toBe('Bearer realm="cms", error="invalid_token"');
    expect(JSON.stringify(body)).not.toContain(TOKENS.admin);
  });

  it.each([`Bearer  ${TOKENS.admin}`, `Bearer "${TOKENS.admin}"`, `Bearer <${TOKENS.admin}>`, 'Bearer'])(
    'says what is wrong with the header %s',
    async (authorization) => {
      expect((await send(authorization)).body.message).toContain('one space, then the token alone');
    },
  );

  it.each([
    ['no space', 'x'.repeat(15_000)],
    ['a word and no space', `Bearer${'x'.repeat(15_000)}`],
    ['a token of that length', `Bearer ${'x'.repeat(15_000)}`],
    ['many words', `Bearer ${'x '.repeat(7_400)}x`],
  ])('refuses a header of 15,000 characters with %s', async (_, authorization) => {
    expect((await send(authorization)).status).toBe(401);
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('takes the scheme as "%s"', async (scheme) => {
    await send(`${scheme} ${TOKENS.admin}`).expect(200);
  });

  it('takes a token that the settings hold as a hash', async () => {
    await send(`Bearer ${HASHED}`).expect(200);
  });

  it('does not take the hash of a token for the token', async () => {
    const sha256 = createHash('sha256').update(HASHED).digest('hex');

    await send(`Bearer ${sha256}`).expect(401);
    await send(`Bearer sha256:${sha256}`).expect(401);
  });

  it.each(['access_token', 'token', 'authorization'])('takes no token from the query parameter %s', async (name) => {
    const { status, body } = await service.anonymous().get(`${ROUTE}?${name}=${TOKENS.admin}`);

    expect([status, body.error]).toEqual([401, 'unauthorized']);
  });

  it('takes no token from a cookie or a body', async () => {
    const { status, body } = await service
      .anonymous()
      .post(ROUTE)
      .set('Cookie', `token=${TOKENS.admin}; access_token=${TOKENS.admin}`)
      .send({ access_token: TOKENS.admin });

    expect([status, body.error]).toEqual([401, 'unauthorized']);
  });

  it('answers 403 insufficient_scope naming the scope that is missing', async () => {
    const { status, headers, body } = await service.http(TOKENS.reader).get(ROUTE);

    expect(status).toBe(403);
    expect(headers['www-authenticate']).toBeUndefined();
    expect(body).toMatchObject({ error: 'insufficient_scope', details: [{ scope: 'tokens:write' }] });
  });

  it('proves who asks before it says what is missing in a body', async () => {
    await service.anonymous().post(ROUTE).send({}).expect(401);
    await service.http(TOKENS.reader).post(ROUTE).send({}).expect(403);
    await service.http().post(ROUTE).send({}).expect(422);
  });

  it('asks for no credential on a route that is open', async () => {
    await service.anonymous().get('/health/live').set('Authorization', 'Bearer junk').expect(200);
  });
});
