import { createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { DataSource } from 'typeorm';
import { VerifiedAccess } from '../../../src/auth/tokens/access/verified-access.js';
import { SigningKeys } from '../../../src/auth/tokens/keys/signing-keys.js';
import { Clock } from '../../../src/common/clock.js';
import { Settings } from '../../../src/config/settings.js';
import { forge, forgeByHmac, partOf, signingKeyOf, split, type Part } from '../../support/forged-tokens.js';
import { aPerson, signedIn, type Person } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('Access tokens', () => {
  let service: TestApp;
  let ann: Person;
  let token: string;
  let header: Part;
  let claims: Part;
  /** The second in which the sign-in began. */
  let before: number;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    ann = await aPerson(service, { role: 'author' });
    before = Math.floor(Date.now() / 1_000);
    ({ token } = await signedIn(service, ann));
    header = partOf(token, 0);
    claims = partOf(token, 1);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const statusFor = async (bearer: string): Promise<number> => (await service.http(bearer).get('/api/auth/me')).status;

  it('have the header and the claims of RFC 9068, and nothing else', () => {
    const { issuer, audience } = service.app.get(Settings).signIn;

    expect(token.split('.')).toHaveLength(3);
    expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.stringMatching(/^[\w-]{43}$/) });
    expect(claims).toEqual({
      iss: issuer,
      aud: audience,
      sub: String(ann.id),
      sid: expect.stringMatching(/^[0-9a-f]{32}$/),
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: expect.any(Number),
      exp: Number(claims.iat) + 900,
      auth_time: expect.any(Number),
      amr: ['pwd'],
      scope: expect.stringContaining('records:create'),
    });
    // A second may pass between the proof and the token.
    expect(claims.auth_time).toBeGreaterThanOrEqual(before);
    expect(claims.auth_time).toBeLessThanOrEqual(Number(claims.iat));
  });

  it('that come at the same moment are each of their own user', async () => {
    const people = await Promise.all([1, 2, 3].map(() => aPerson(service)));
    const tokens = await Promise.all(people.map(async (person) => (await signedIn(service, person)).token));
    const access = service.app.get(VerifiedAccess);

    const found = await Promise.all(tokens.map((one) => access.claimsOf(one)));

    expect(found.map((one) => one?.userId)).toEqual(people.map(({ id }) => id));
  });

  it('stand beside API tokens: the guard distinguishes them', async () => {
    const bearers = [token, undefined, token, undefined];

    const answers = await Promise.all(bearers.map((bearer) => service.http(bearer).get('/api/auth/me')));

    expect(answers.map(({ body }) => body.data.user?.id ?? null)).toEqual([ann.id, null, ann.id, null]);
  });

  it('let an author change what is theirs, and nothing else', async () => {
    const own = await service.http(token).post('/api/cms/post').send({ title: 'Mine', body: 'x' });
    const other = await service.http().post('/api/cms/post').send({ title: 'Not mine', body: 'x' });
    expect([own.status, other.status]).toEqual([201, 201]);

    const answers = [own, other].map(({ body }) =>
      service.http(token).patch(`/api/cms/post/${body.data.id}`).send({ title: 'Changed' }),
    );

    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 403]);
    expect((await service.http(token).get('/api/users')).body.error).toBe('insufficient_scope');
  });

  it('are over after 900 seconds, not one earlier', async () => {
    const clock = jest.spyOn(service.app.get(Clock), 'now');
    const end = Number(claims.exp) * 1_000;

    clock.mockReturnValue(end - 1);
    expect(await statusFor(token)).toBe(200);
    clock.mockReturnValue(end);
    expect(await statusFor(token)).toBe(401);
  });

  it('are not called wrong when the database fails, but answered with 5xx', async () => {
    const { token: unseen } = await signedIn(service, ann);
    jest.spyOn(service.app.get(SigningKeys), 'current').mockRejectedValue(new Error('gone'));

    expect(await statusFor(unseen)).toBe(500);
  });

  describe('signed with our own key', () => {
    const now = () => Math.floor(Date.now() / 1_000);
    const changed: readonly (readonly [
      string,
      (parts: { header: Part; claims: Part }) => readonly [unknown, unknown],
    ])[] = [
      ['as another type of token', (t) => [{ ...t.header, typ: 'JWT' }, t.claims]],
      ['without a type', (t) => [{ ...t.header, typ: undefined }, t.claims]],
      ['for another audience', (t) => [t.header, { ...t.claims, aud: 'https://other.example' }]],
      ['for no audience', (t) => [t.header, { ...t.claims, aud: undefined }]],
      ['by another issuer', (t) => [t.header, { ...t.claims, iss: 'https://other.example' }]],
      ['without an end', (t) => [t.header, { ...t.claims, exp: undefined }]],
      ['with a far end', (t) => [t.header, { ...t.claims, exp: now() + 86_400 }]],
      ['with an end that is past', (t) => [t.header, { ...t.claims, iat: now() - 906, exp: now() - 6 }]],
      ['with an end in words', (t) => [t.header, { ...t.claims, exp: '2999-01-01' }]],
      ['without a beginning', (t) => [t.header, { ...t.claims, iat: undefined }]],
      ['made in the future', (t) => [t.header, { ...t.claims, iat: now() + 60, exp: now() + 960 }]],
      ['not to be used yet', (t) => [t.header, { ...t.claims, nbf: now() + 60 }]],
      ['with something critical', (t) => [{ ...t.header, crit: ['b64'], b64: false }, t.claims]],
      ['with an empty list of critical things', (t) => [{ ...t.header, crit: [] }, t.claims]],
      ['without a session', (t) => [t.header, { ...t.claims, sid: undefined }]],
      ['of a session that never was', (t) => [t.header, { ...t.claims, sid: '0'.repeat(32) }]],
      ['of a session in SQL', (t) => [t.header, { ...t.claims, sid: "' OR 1=1 --" }]],
      ['of another user in an own session', (t) => [t.header, { ...t.claims, sub: String(ann.id + 1) }]],
      ['of no user', (t) => [t.header, { ...t.claims, sub: undefined }]],
      ['of user 0', (t) => [t.header, { ...t.claims, sub: '0' }]],
      ['with claims that are a list', (t) => [t.header, '[]']],
      ['with claims that are no JSON', (t) => [t.header, '{"sub":']],
      ['with a second, foreign issuer', (t) => [t.header, JSON.stringify(t.claims).replace(/}$/, ',"iss":"x"}')]],
    ];

    it('is accepted as the real one, so that what is refused below is refused for its one fault', async () => {
      const again = { ...claims, jti: 'another', nbf: now() - 60 };

      expect(await statusFor(forge(header, again, await signingKeyOf(service)))).toBe(200);
    });

    it.each(changed)('is refused %s', async (_, change) => {
      const [changedHeader, changedClaims] = change({ header, claims });

      expect(await statusFor(forge(changedHeader, changedClaims, await signingKeyOf(service)))).toBe(401);
    });
  });

  describe('signed with a foreign key', () => {
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = foreign.publicKey.export({ format: 'jwk' });

    it.each<[string, Part]>([
      ['under our kid', {}],
      ['with the key in its header', { jwk }],
      ['with an address of the key', { jku: 'http://127.0.0.1:1/jwks.json', x5u: 'http://127.0.0.1:1/x5u' }],
      ['with a certificate', { x5c: ['MIIB'] }],
      ['under an unknown kid', { kid: 'A'.repeat(43) }],
      ['under no kid', { kid: undefined }],
      ['under a kid that is a path', { kid: '../../../../dev/null' }],
      ['under a kid in SQL', { kid: "x' UNION SELECT 'secret" }],
      ['under a kid that every object has', { kid: '__proto__' }],
      ['under a kid that is a number', { kid: 1 }],
      ['under a kid that is an object', { kid: { toString: 'x' } }],
      ['as ES384', { alg: 'ES384' }],
    ])('is refused %s', async (_, more) => {
      expect(await statusFor(forge({ ...header, ...more }, claims, foreign.privateKey))).toBe(401);
    });

    it('is refused with RS256', async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

      expect(await statusFor(forge({ ...header, alg: 'RS256' }, claims, privateKey))).toBe(401);
    });
  });

  describe('that were not signed', () => {
    it.each(['none', 'None', 'NONE', 'nOnE', ''])('are refused with the algorithm "%s"', async (alg) => {
      const [, said = '', signature = ''] = token.split('.');
      const encoded = Buffer.from(JSON.stringify({ ...header, alg })).toString('base64url');

      expect(await statusFor(`${encoded}.${said}.`)).toBe(401);
      expect(await statusFor(`${encoded}.${said}.${signature}`)).toBe(401);
    });

    it('are refused with HS256 and our public key as its secret, in every form of it', async () => {
      const { body } = await service.anonymous().get('/.well-known/jwks.json');
      const [published] = body.keys as JsonWebKey[];
      const key = createPublicKey({ key: published ?? {}, format: 'jwk' });
      const pem = key.export({ type: 'spki', format: 'pem' }).toString();
      const der = key.export({ type: 'spki', format: 'der' });
      const forms = [pem, pem.trim(), JSON.stringify(published), der.toString('base64'), String(published?.x), ''];

      for (const alg of ['HS256', 'HS512', 'ES256']) {
        const statuses = forms.map((secret) => statusFor(forgeByHmac({ ...header, alg }, claims, secret)));
        expect(new Set(await Promise.all(statuses))).toEqual(new Set([401]));
      }
    });

    it('are refused when they are made of two that are good', async () => {
      const one = split(token);
      const other = split((await signedIn(service, ann)).token);

      expect(await statusFor([one.head, one.body, other.signature].join('.'))).toBe(401);
      expect(await statusFor([one.head, other.body, one.signature].join('.'))).toBe(401);
      expect(await statusFor([one.head, one.body, 'A'.repeat(86)].join('.'))).toBe(401);
    });

    it('are refused in every broken spelling, without asking the database', async () => {
      const asked = jest.spyOn(service.app.get(DataSource), 'query');
      const { head, body, signature } = split(token);
      const spellings = [
        `${token}.`,
        `.${token}`,
        `${token}.AAAA.AAAA`, // the five parts of a JWE
        `${head}.${body}`,
        `${head}..${signature}`,
        `..`,
        `${head}=.${body}.${signature}`,
        `${head}.${body}.${signature}==`,
        `${head}.${body}+/.${signature}`,
        `%${token}`,
        `"${token}"`,
        `${head}.${body}.`,
        'A'.repeat(4_096),
        `${'A'.repeat(4_000)}.${'A'.repeat(48)}.${'A'.repeat(46)}`,
      ];

      for (const spelling of spellings) expect([spelling, await statusFor(spelling)]).toEqual([spelling, 401]);
      expect(asked.mock.calls.filter(([sql]) => sql.includes('auth_sessions'))).toEqual([]);
    });

    it('are refused beyond 16,384 characters before anything is computed', async () => {
      const hash = jest.spyOn(service.app.get(VerifiedAccess), 'claimsOf');

      expect(await statusFor(`${token}${'A'.repeat(16_385 - token.length)}`)).toBe(401);
      expect(hash).not.toHaveBeenCalled();
    });

    it.each([
      ['two spaces', (one: string) => `Bearer  ${one}`],
      ['a tab', (one: string) => `Bearer\t${one}`],
      ['two tokens', (one: string) => `Bearer ${one} ${one}`],
      ['a comma', (one: string) => `Bearer ${one}, Bearer ${one}`],
    ])('are refused after %s', async (_, write) => {
      const answer = await service.anonymous().get('/api/auth/me').set('Authorization', write(token));

      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_token']);
      expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    });

    it.each([
      ['another scheme', (one: string) => `JWT ${one}`],
      ['no scheme', (one: string) => one],
    ])('are none after %s', async (_, write) => {
      const answer = await service.anonymous().get('/api/auth/me').set('Authorization', write(token));

      expect([answer.status, answer.body.error]).toEqual([401, 'unauthorized']);
      expect(answer.body.message).toContain('Bearer');
    });
  });

  it.each([
    ['no space', 'B'.repeat(15_500)],
    ['spaces only', `Bearer${' '.repeat(15_500)}`],
    ['many points', `Bearer ${'.'.repeat(15_500)}`],
    ['many parts', `Bearer ${'a.'.repeat(8_192)}`],
    ['letters and no point', `Bearer ${'a'.repeat(16_384)}`],
  ])('are not found in a long header of %s', async (_, header) => {
    await service.anonymous().get('/api/auth/me').set('Authorization', header).expect(401);
  });
});
