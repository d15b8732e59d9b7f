import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { seal, unsealWithAny } from '../../../common/seal.js';
import type { SigningKeyEntity } from './signing-key.entity.js';

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

/** A pair of keys as it is written into the database. */
export type SigningKeyRow = Pick<SigningKeyEntity, keyof SigningKeyEntity>;

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
export function newSigningKey(sealingKey: Buffer, slot: 'next' | 'active', now: number): SigningKeyRow {
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
export function openSigningKey(sealingKeys: readonly Buffer[], stored: SigningKeyEntity): SigningKey | null {
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
export function openPublicKey(stored: SigningKeyEntity): { readonly jwk: PublicJwk; readonly key: KeyObject } {
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
