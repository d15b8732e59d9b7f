import {
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { misbehave, type Misbehaviour } from './misbehaviour.js';

/** How an id_token is signed. */
type Signature = 'right' | 'foreign' | 'none' | 'hs256' | 'unknown-kid' | 'no-kid';
/** Why the browser is sent back without a code, as providers call it. */
const ERRORS = { cancel: 'access_denied', 'apple-cancel': 'user_cancelled_authorize', error: 'server_error' } as const;

/** What the provider does next. Everything has a friendly default. */
export interface Behaviour {
  /** With an error in place of a code. */
  readonly return?: keyof typeof ERRORS;
  /** Changed in, or with `undefined` taken out of, the claims of the next id_tokens. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly signature?: Signature;
  /** The answers of the token endpoint without an id_token. */
  readonly isWithoutIdToken?: boolean;
  readonly token?: Misbehaviour;
  readonly jwks?: Misbehaviour;
  /** Published beside the key in use. */
  readonly moreKeys?: readonly JWK[];
  readonly discovery?: Misbehaviour;
  readonly userinfo?: Misbehaviour;
  /** The answer of userinfo. */
  readonly profile?: Readonly<Record<string, unknown>>;
  /** Changed in the discovery document. */
  readonly document?: Readonly<Record<string, unknown>>;
  /** Sent along with the code, for example `iss`, or Apple's `user`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Whether a code may be redeemed again and again. */
  readonly hasReusableCodes?: boolean;
}

interface IssuedCode {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly nonce: string | null;
  readonly challenge: string | null;
  /** Whether the user was to sign in again. */
  readonly isFresh: boolean;
  isUsed: boolean;
}

interface Keys {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

const CLIENT_SECRET = 'a secret: with/odd+characters';

/** Google, Apple and an OpenID Connect provider in one, on a real port. It checks what the real ones check. */
export class MockIdentityProvider {
  behaviour: Behaviour = {};
  /** Requests by path, to see what was asked and how often. */
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: string }[] =
    [];
  private readonly codes = new Map<string, IssuedCode>();

  private constructor(
    private readonly server: Server,
    private keys: Keys,
    private readonly foreignKeys: Keys,
    /** The key that Apple knows of us. */
    private readonly appleKeys: { readonly publicKey: CryptoKey; readonly pem: string },
  ) {
    server.on('request', (request, response) => {
      this.answer(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
  }

  static async start(): Promise<MockIdentityProvider> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const apple = await generateKeyPair('ES256', { extractable: true });
    const pem = await exportPKCS8(apple.privateKey);
    return new MockIdentityProvider(server, await newKeys(), await newKeys(), { publicKey: apple.publicKey, pem });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Settings of a service that signs in here with all three of them. */
  get environment(): Record<string, string> {
    const urls = (prefix: string): Record<string, string> => ({
      [`${prefix}_AUTHORIZATION_URL`]: `${this.url}/authorize`,
      [`${prefix}_TOKEN_URL`]: `${this.url}/token`,
      [`${prefix}_JWKS_URL`]: `${this.url}/jwks`,
      [`${prefix}_ISSUERS`]: this.url,
    });
    return {
      ...urls('GOOGLE'),
      ...urls('APPLE'),
      GOOGLE_CLIENT_ID: 'google-client',
      GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
      GOOGLE_NATIVE_CLIENT_IDS: 'google-ios, google-android',
      APPLE_CLIENT_ID: 'apple-client',
      APPLE_TEAM_ID: 'TEAM123456',
      APPLE_KEY_ID: 'KEY1234567',
      APPLE_PRIVATE_KEY: this.appleKeys.pem.replaceAll('\n', '\\n'),
      APPLE_NATIVE_CLIENT_IDS: 'apple-ios',
      OIDC_ISSUER: this.url,
      OIDC_CLIENT_ID: 'oidc-client',
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NATIVE_CLIENT_IDS: 'oidc-app',
    };
  }

  count(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  /** New keys, as providers make them every few weeks. */
  async rotateKeys(alg = 'RS256'): Promise<void> {
    this.keys = await newKeys(alg);
  }

  /** An id_token as an app would get it. */
  async idToken(claims: JWTPayload, signature: Signature = 'right'): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const all = { iss: this.url, sub: 'ann', jti: randomBytes(8).toString('hex'), iat: now, exp: now + 600, ...claims };
    const payload = Object.fromEntries(Object.entries<unknown>(all).filter(([, value]) => value !== undefined));
    if (signature === 'none') return new UnsecuredJWT(payload).encode();
    if (signature === 'hs256') return this.confused(payload);
    const { privateKey } = signature === 'foreign' ? this.foreignKeys : this.keys;
    const kids: Partial<Record<Signature, object>> = { 'unknown-kid': { kid: 'nobody knows me' }, 'no-kid': {} };
    const header = { alg: this.keys.publicJwk.alg ?? 'RS256', ...(kids[signature] ?? { kid: this.keys.kid }) };
    return new SignJWT(payload).setProtectedHeader(header).sign(privateKey);
  }

  /** What the provider sends when a session there is over. @see OpenID Connect Back-Channel Logout 1.0 */
  logoutToken(claims: JWTPayload, header: object = { typ: 'logout+jwt' }, signature: 'right' | 'foreign' = 'right') {
    const now = Math.floor(Date.now() / 1_000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const jti = randomBytes(8).toString('hex');
    const all = { iss: this.url, aud: 'oidc-client', iat: now, exp: now + 120, jti, events, ...claims };
    const payload = Object.fromEntries(Object.entries<unknown>(all).filter(([, value]) => value !== undefined));
    const { privateKey } = signature === 'right' ? this.keys : this.foreignKeys;
    return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: this.keys.kid, ...header }).sign(privateKey);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Signed with the public key as if it were a secret. */
  private async confused(payload: JWTPayload): Promise<string> {
    const secret = Buffer.from(JSON.stringify(this.keys.publicJwk));
    return new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: this.keys.kid }).sign(secret);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const body = await bodyOf(request);
    this.requests.push({ path: url.pathname, headers: request.headers, body });
    const { token, jwks, discovery, userinfo } = this.behaviour;
    const wrong = {
      '/token': token,
      '/jwks': jwks,
      '/.well-known/openid-configuration': discovery,
      '/userinfo': userinfo,
    };
    const misbehaviour = wrong[url.pathname as keyof typeof wrong];
    if (misbehaviour) misbehave(misbehaviour, response);
    else if (url.pathname === '/authorize') this.authorize(url.searchParams, response);
    else if (url.pathname === '/token') await this.redeem(request, new URLSearchParams(body), response);
    else this.serve(url.pathname, request, response);
  }

  private serve(path: string, { headers }: IncomingMessage, response: ServerResponse): void {
    if (path === '/jwks') json(response, 200, { keys: [this.keys.publicJwk, ...(this.behaviour.moreKeys ?? [])] });
    else if (path === '/.well-known/openid-configuration') json(response, 200, this.document());
    else if (path === '/userinfo' && headers.authorization === 'Bearer an-access-token') {
      json(response, 200, { sub: 'ann', ...this.behaviour.profile });
    } else json(response, 404, { error: 'not_found' });
  }

  private document(): object {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/jwks`,
      userinfo_endpoint: `${this.url}/userinfo`,
      ...this.behaviour.document,
    };
  }

  private authorize(query: URLSearchParams, response: ServerResponse): void {
    const redirectUri = query.get('redirect_uri') ?? '';
    const parameters = { state: query.get('state') ?? '', ...this.outcome(query, redirectUri) };
    const isForm = query.get('response_mode') === 'form_post';
    (isForm ? formPage : redirect)(response, redirectUri, parameters);
  }

  /** A code, or why there is none. */
  private outcome(query: URLSearchParams, redirectUri: string): Record<string, string> {
    const error = this.behaviour.return && ERRORS[this.behaviour.return];
    if (error) return { error };
    const code = randomBytes(16).toString('base64url');
    this.codes.set(code, {
      redirectUri,
      clientId: query.get('client_id') ?? '',
      nonce: query.get('nonce'),
      challenge: query.get('code_challenge_method') === 'S256' ? query.get('code_challenge') : null,
      isFresh: query.has('max_age') && query.get('prompt') === 'login',
      isUsed: false,
    });
    return { code, ...this.behaviour.parameters };
  }

  private async redeem({ headers }: IncomingMessage, form: URLSearchParams, response: ServerResponse): Promise<void> {
    const client = await this.clientOf(headers.authorization, form);
    const issued = client === null ? null : this.take(client, form);
    if (client === null) json(response, 401, { error: 'invalid_client' });
    else if (issued === null) json(response, 400, { error: 'invalid_grant' });
    else json(response, 200, await this.tokens(client, issued));
  }

  /** The code of a form, if all is right with it. */
  private take(clientId: string, form: URLSearchParams): IssuedCode | null {
    const issued = this.codes.get(form.get('code') ?? '');
    if (issued?.clientId !== clientId || issued.redirectUri !== form.get('redirect_uri')) return null;
    if (issued.isUsed && !this.behaviour.hasReusableCodes) return null;
    issued.isUsed = true;
    return verifies(issued.challenge, form.get('code_verifier')) ? issued : null;
  }

  private async tokens(client: string, issued: IssuedCode): Promise<object> {
    const tokens = { access_token: 'an-access-token', token_type: 'Bearer', expires_in: 3_600 };
    if (this.behaviour.isWithoutIdToken) return tokens;
    return { ...tokens, id_token: await this.idTokenFor(client, issued) };
  }

  private idTokenFor(aud: string, { nonce, isFresh }: IssuedCode): Promise<string> {
    const person = { email: 'ann@gmail.com', email_verified: true, name: 'Ann Lee' };
    const fresh = isFresh ? { auth_time: Math.floor(Date.now() / 1_000) } : {};
    return this.idToken({ ...person, ...fresh, aud, nonce, ...this.behaviour.claims }, this.behaviour.signature);
  }

  /** The client that a request proves to be; `null`: it proves nothing. */
  private async clientOf(authorization: string | undefined, form: URLSearchParams): Promise<string | null> {
    if (authorization !== undefined) return this.basicClientOf(authorization, form);
    const [id, secret] = [form.get('client_id'), form.get('client_secret') ?? ''];
    if (id === 'apple-client') return (await this.isOfApple(secret)) ? id : null;
    const isAllowed = id === 'google-client' || this.takes('post');
    return isAllowed && secret === CLIENT_SECRET ? id : null;
  }

  /** Both ways at once are none. @see RFC 6749 section 2.3 */
  private basicClientOf(authorization: string, form: URLSearchParams): string | null {
    const [id, secret] = basicPair(authorization);
    return !form.has('client_secret') && secret === CLIENT_SECRET && this.takes('basic') ? id : null;
  }

  /** What the discovery document says of secrets. */
  private takes(way: 'basic' | 'post'): boolean {
    const methods = this.behaviour.document?.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods as string[]).includes(`client_secret_${way}`);
  }

  private async isOfApple(secret: string): Promise<boolean> {
    const rules = { issuer: 'TEAM123456', audience: 'https://appleid.apple.com', subject: 'apple-client' };
    return jwtVerify(secret, this.appleKeys.publicKey, { ...rules, algorithms: ['ES256'] }).then(
      ({ protectedHeader }) => protectedHeader.kid === 'KEY1234567',
      () => false,
    );
  }
}

function basicPair(authorization: string): [string, string] {
  const [id = '', secret = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
  return [decodeURIComponent(id), decodeURIComponent(secret)];
}

function verifies(challenge: string | null, verifier: string | null): boolean {
  return (
    challenge !== null &&
    createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url') === challenge
  );
}

async function newKeys(alg = 'RS256'): Promise<Keys> {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  const kid = randomBytes(8).toString('hex');
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks = (await request.toArray()) as Buffer[];
  return Buffer.concat(chunks).toString();
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function redirect(response: ServerResponse, to: string, parameters: Record<string, string>): void {
  const url = new URL(to);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  response.writeHead(302, { Location: url.href }).end();
}

function formPage(response: ServerResponse, to: string, parameters: Record<string, string>): void {
  const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const fields = Object.entries(parameters).map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  );
  response
    .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    .end(`<form method="post" action="${escape(to)}">${fields.join('')}<button>Continue</button></form>`);
}
