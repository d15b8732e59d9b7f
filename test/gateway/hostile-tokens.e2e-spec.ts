import {
  base64url,
  type CryptoKey,
  exportSPKI,
  SignJWT,
  UnsecuredJWT,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';
import { createHmac } from 'node:crypto';
import { expectError } from '../support/errors.js';
import { aPerson, signedIn } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { AUDIENCE, ISSUER, newKey, TokenIssuer } from '../support/token-issuer.js';

const now = () => Math.floor(Date.now() / 1_000);
const part = (value: unknown) => base64url.encode(JSON.stringify(value));

describe('Tokens of a trusted issuer that are not good', () => {
  let issuer: TokenIssuer;
  let service: TestApp;
  let ownToken: string;

  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    await issuer.addKey('rsa', 'RS256');
    await issuer.addKey('pss', 'PS256');
    const rules = { clients: ['web', 'app'], max_age: 600 };
    service = await startTestApp({ ...issuer.environment(rules), RATE_LIMITS: 'off' });
    ownToken = (await signedIn(service, await aPerson(service))).token;
  });

  afterAll(async () => {
    await service.close();
    await issuer.stop();
  });

  const ask = (token: string) => service.http(token).get('/api/auth/me');
  const claims = (changed: JWTPayload = {}): JWTPayload => ({ azp: 'web', ...changed });
  const signed = (changed: JWTPayload = {}, header: Partial<JWTHeaderParameters> = {}) =>
    issuer.sign(claims(changed), header);
  const all = () => ({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'ann',
    azp: 'web',
    iat: now(),
    exp: now() + 300,
    groups: ['admins'],
  });
  const changed = async (change: (parts: string[]) => string[]) => change((await signed()).split('.')).join('.');

  it('are told from good ones', async () => {
    await ask(await signed()).expect(200);
    await ask(await signed({ azp: 'app' })).expect(200);
    await ask(await signed({ azp: undefined, client_id: 'web' })).expect(200);
    await ask(await signed({ aud: ['other', AUDIENCE] })).expect(200);
    await ask(await signed({}, { alg: 'RS256', kid: 'rsa' })).expect(200);
    await ask(await signed({}, { typ: 'at+jwt' })).expect(200);
    // Within the 30 s by which clocks may differ.
    await ask(await signed({ exp: now() - 20 })).expect(200);
    await ask(await signed({ iat: now() + 20, nbf: now() + 20 })).expect(200);
  });

  const hostile: Record<string, () => string | Promise<string>> = {
    'no algorithm': () => new UnsecuredJWT(all()).encode(),
    'no algorithm, in capitals': () => `${part({ alg: 'NONE' })}.${part(all())}.`,
    'no algorithm, and a signature': () =>
      changed(([, body = '', sig = '']) => [part({ alg: 'none', kid: 'one' }), body, sig]),
    'the public key as a shared secret': () => {
      const { publicJwk } = issuer.keyOf('rsa');
      const head = `${part({ alg: 'HS256', kid: 'rsa' })}.${part(all())}`;
      return `${head}.${createHmac('sha256', JSON.stringify(publicJwk)).update(head).digest('base64url')}`;
    },
    'the public key in PEM as a shared secret': async () => {
      const { importJWK } = await import('jose');
      const { publicJwk } = issuer.keyOf('rsa');
      const pem = await exportSPKI((await importJWK({ ...publicJwk, ext: true }, 'RS256')) as CryptoKey);
      const head = `${part({ alg: 'HS256', kid: 'rsa' })}.${part(all())}`;
      return `${head}.${createHmac('sha256', pem).update(head).digest('base64url')}`;
    },
    'an algorithm that is not on the list': () => signed({}, { alg: 'PS256', kid: 'pss' }),
    'the key of another algorithm': () =>
      changed(([, body = '', sig = '']) => [part({ alg: 'RS256', kid: 'one' }), body, sig]),
    'a key of its own under a known name': async () => issuer.sign(claims(), {}, await newKey('one')),
    'a key that is not published': async () => issuer.sign(claims(), { kid: 'none' }, await newKey('none')),
    'a key that it brings along': async () => {
      const own = await newKey('own');
      return issuer.sign(claims(), { kid: 'own', jwk: own.publicJwk }, own);
    },
    'a good key, brought along': () => signed({}, { jwk: issuer.keyOf('one').publicJwk }),
    'an address of keys': () => signed({}, { jku: 'https://evil.example/jwks' }),
    'an address of certificates': () => signed({}, { x5u: 'https://evil.example/cert' }),
    'an extension that must be understood': async () =>
      `${part({ alg: 'ES256', kid: 'one', crit: ['exp'], exp: 1 })}.${(await signed()).split('.').slice(1).join('.')}`,
    'an empty list of extensions': () =>
      changed(([, body = '', sig = '']) => [part({ alg: 'ES256', kid: 'one', crit: [] }), body, sig]),
    'a payload that was changed': () =>
      changed(([head = '', , sig = '']) => [head, part({ ...all(), sub: 'root' }), sig]),
    'a header that was changed': () =>
      changed(([, body = '', sig = '']) => [part({ alg: 'ES256', kid: 'one', x: 1 }), body, sig]),
    'no signature': () => changed(([head = '', body = '']) => [head, body, '']),
    'a signature of zeros': () => changed(([head = '', body = '']) => [head, body, base64url.encode(Buffer.alloc(64))]),
    'a signature that is cut': () => changed(([head = '', body = '', sig = '']) => [head, body, sig.slice(0, -4)]),
    'the signature of another token': async () => {
      const [head = '', body = ''] = (await signed({ sub: 'root' })).split('.');
      return [head, body, (await signed()).split('.')[2]].join('.');
    },
    'an issuer that is not trusted': () => signed({ iss: 'https://evil.example' }),
    'an issuer with a slash more': () => signed({ iss: `${ISSUER}/` }),
    'an issuer in capitals': () => signed({ iss: ISSUER.toUpperCase() }),
    'no issuer': () => signed({ iss: undefined }),
    'a list of issuers': () => signed({ iss: [ISSUER] as unknown as string }),
    'another audience': () => signed({ aud: 'other' }),
    'no audience': () => signed({ aud: undefined }),
    'an audience that begins like ours': () => signed({ aud: `${AUDIENCE}x` }),
    'another client': () => signed({ azp: 'evil' }),
    'no client': () => signed({ azp: undefined }),
    'a list of clients': () => signed({ azp: ['web'] }),
    'an end that is past': () => signed({ exp: now() - 31 }),
    'no end': () => signed({ exp: undefined }),
    'an end that is no number': () => signed({ exp: 'never' as unknown as number }),
    'a beginning that is to come': () => signed({ nbf: now() + 60 }),
    'no time of issue': () => signed({ iat: undefined }),
    'a time of issue that is to come': () => signed({ iat: now() + 60, exp: now() + 400 }),
    'too great an age': () => signed({ iat: now() - 640, exp: now() + 400 }),
    'no subject': () => signed({ sub: undefined }),
    'a subject that is empty': () => signed({ sub: '' }),
    'a subject with a space': () => signed({ sub: 'ann ' }),
    'a subject of two lines': () => signed({ sub: 'ann\nroot' }),
    'a subject outside of ASCII': () => signed({ sub: 'änn' }),
    'a subject that is too long': () => signed({ sub: 'x'.repeat(256) }),
    'a subject that is a number': () => signed({ sub: 42 as unknown as string }),
    'the type of a logout': () => signed({}, { typ: 'logout+jwt' }),
    'the type of another purpose': () => signed({}, { typ: 'secevent+jwt' }),
    'a header that is no object': async () =>
      `${base64url.encode('7')}.${(await signed()).split('.').slice(1).join('.')}`,
    'a payload that is no object': () => `${part({ alg: 'ES256', kid: 'one' })}.${base64url.encode('[]')}.AAAA`,
    'the five parts of an encrypted token': async () => `${await signed()}.AAAA.AAAA`,
    'the issuer of this service, with a foreign key': async () =>
      new SignJWT({ ...all(), iss: 'http://localhost:3000', sid: '0'.repeat(32) })
        .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'at+jwt' })
        .sign(issuer.keyOf('one').privateKey),
    'the name of a key of this service, with a foreign signature': async () => {
      const { kid } = JSON.parse(Buffer.from(ownToken.split('.')[0] ?? '', 'base64url').toString()) as { kid: string };
      return issuer.sign(claims(), { kid }, issuer.keyOf('one'));
    },
  };

  it.each(Object.keys(hostile))('are refused with %s', async (name) => {
    const token = await hostile[name]?.();

    const answer = await ask(token ?? '');

    expectError(answer, 'invalid_token');
  });

  it('leave no account behind, and are asked about seldom', async () => {
    const { text } = await service.http().get('/api/users').expect(200);

    expect(text).not.toMatch(/root|evil/);
    expect(issuer.asked).toBeLessThanOrEqual(2);
  });
});
