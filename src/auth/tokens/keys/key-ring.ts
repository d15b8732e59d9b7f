import { type KeyObject, createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { seal, unsealWithAny } from '../../../common/seal.js';
import type { SigningKeyEntity } from './signing-key.entity.js';

/** Life of an access token in seconds, fixed by the specification. */
export const ACCESS_TOKEN_SECONDS = 900;

/** Media type of access tokens, so that no other token of ours passes for one. @see RFC 9068 */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

export const ACCESS_TOKEN_ALGORITHM = 'ES256';

/** What is left of an access token once it is checked. */
export interface AccessClaims {
  /** The key that signed it. */
  readonly kid: string;
  readonly userId: number;
  readonly sessionId: string;
  /** When the user proved who they are, milliseconds since 1970, UTC. */
  readonly authTime: number;
  /** Milliseconds since 1970, UTC. */
  readonly expiresAt: number;
}

/** A public key as it is published. @see RFC 7517 */
export interface PublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

/** A key that signs access tokens. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/**
 * A new pair of keys on the curve P-256, as it is stored.
 *
 * @param sealingKey 32 bytes: the private key lies sealed in the database
 */
export function newSigningKey(sealingKey: Buffer, slot: 'next' | 'active', now: number): SigningKeyEntity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicJwk(publicKey);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    id: jwk.kid,
    state: slot,
    slot,
    publicJwk: JSON.stringify(jwk),
    sealedKey: sealedPem(sealingKey, pem, jwk.kid),
    createdAt: now,
    activatedAt: slot === 'active' ? now : null,
    retiredAt: null,
  };
}

/** `null`: it was sealed with none of these keys. */
function openSigningKey(sealingKeys: readonly Buffer[], stored: SigningKeyEntity): SigningKey | null {
  const pem = openPem(sealingKeys, stored);
  return pem === null ? null : { kid: stored.id, privateKey: createPrivateKey(pem) };
}

/**
 * What to store in the place of a key that was sealed with one of the former keys.
 *
 * @returns `null`: it was sealed with the present one, or with none of them
 */
export function resealed(present: Buffer, former: readonly Buffer[], stored: SigningKeyEntity): string | null {
  const pem = openPem([present], stored) === null ? openPem(former, stored) : null;
  return pem === null ? null : sealedPem(present, pem, stored.id);
}

function openPem(sealingKeys: readonly Buffer[], { id, sealedKey }: SigningKeyEntity): string | null {
  return unsealWithAny(sealingKeys, Buffer.from(sealedKey, 'base64url'), id);
}

function sealedPem(sealingKey: Buffer, pem: string, kid: string): string {
  return seal(sealingKey, pem, kid).toString('base64url');
}

/** The key with which tokens of a stored pair are checked, and how it is published. */
function openPublicKey(stored: SigningKeyEntity): { readonly jwk: PublicJwk; readonly key: KeyObject } {
  // Written by `newSigningKey` alone.
  const jwk = JSON.parse(stored.publicJwk) as PublicJwk;
  return { jwk, key: createPublicKey({ key: { ...jwk }, format: 'jwk' }) };
}

function publicJwk(publicKey: KeyObject): PublicJwk {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { kty: 'EC', crv: 'P-256', x, y, kid: thumbprint(x, y), alg: 'ES256', use: 'sig' };
}

/** The members that make the key, in the order of the alphabet. @see RFC 7638 */
function thumbprint(x: string, y: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');
}

/** For so long others may keep the published keys: a next key is published for longer before it signs. */
export const KEYS_MAX_AGE_SECONDS = 300;

/** The keys of access tokens as they are at one moment. */
export class KeyRing {
  /** Keys whose tokens are accepted, by `kid`. */
  readonly accepted: ReadonlyMap<string, KeyObject>;
  /** What the world may know: keys that sign, signed, or will sign. */
  readonly published: readonly PublicJwk[];
  /** `null`: there is none yet, or it was sealed with another secret. */
  readonly signing: SigningKey | null;

  /** @param stored all keys, in any order */
  constructor(
    readonly stored: readonly SigningKeyEntity[],
    sealingKeys: readonly Buffer[],
  ) {
    const opened = stored.map(openPublicKey);
    this.accepted = new Map(opened.map(({ jwk, key }) => [jwk.kid, key]));
    this.published = opened.map(({ jwk }) => jwk);
    const active = stored.find(({ slot }) => slot === 'active');
    this.signing = active ? openSigningKey(sealingKeys, active) : null;
  }

  /** Whether the keys are the same still, in the same states. */
  isOf(rows: readonly SigningKeyEntity[]): boolean {
    const names = (keys: readonly SigningKeyEntity[]): string => keys.map(({ id, state }) => `${id} ${state}`).join();
    return names(rows) === names(this.stored);
  }
}
