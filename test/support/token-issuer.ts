import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const ISSUER = 'https://id.example.com';
export const AUDIENCE = 'cms';

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** How the next questions for keys are answered. */
type Answering = (response: ServerResponse) => void;

/** A service of others that signs access tokens and publishes its keys. */
export class TokenIssuer {
  /** How often the keys were asked for. */
  asked = 0;
  /** In the place of the keys; `null`: the keys. */
  answering: Answering | null = null;
  private keys: readonly SigningKey[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TokenIssuer> {
    const server = createServer((_request, response) => {
      issuer.asked += 1;
      if (issuer.answering) issuer.answering(response);
      else response.setHeader('Content-Type', 'application/json').end(issuer.published());
    });
    const issuer = new TokenIssuer(server);
    await issuer.addKey('one');
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return issuer;
  }

  get jwksUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/jwks`;
  }

  /** The setting of a service that trusts this issuer. */
  environment(rules: object = {}): { readonly TRUSTED_ISSUERS: string } {
    const entry = {
      name: 'corp',
      issuer: ISSUER,
      audience: AUDIENCE,
      jwks_url: this.jwksUrl,
      algorithms: ['ES256', 'RS256'],
      groups: { claim: 'groups', map: { admins: 'admin', editors: 'editor', readers: 'viewer' } },
      ...rules,
    };
    return { TRUSTED_ISSUERS: JSON.stringify([entry]) };
  }

  published(): string {
    return JSON.stringify({ keys: this.keys.map(({ publicJwk }) => publicJwk) });
  }

  async addKey(kid: string, alg = 'ES256'): Promise<void> {
    this.keys = [...this.keys, await newKey(kid, alg)];
  }

  removeKey(kid: string): void {
    this.keys = this.keys.filter((key) => key.kid !== kid);
  }

  keyOf(kid: string): SigningKey {
    const found = this.keys.find((key) => key.kid === kid);
    if (!found) throw new Error(`There is no key ${kid}.`);
    return found;
  }

  /** A good token, but for what is changed in its claims (with `undefined` taken out), its header or its key. */
  sign(
    claims: JWTPayload = {},
    header: Partial<JWTHeaderParameters> = {},
    { privateKey } = this.keyOf(header.kid ?? 'one'),
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const all = { iss: ISSUER, aud: AUDIENCE, sub: 'ann', iat: now, exp: now + 300, groups: ['editors'], ...claims };
    return new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid: 'one', ...header }).sign(privateKey);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

export async function newKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}
