import type { KeyObject } from 'node:crypto';
import { openPublicKey, openSigningKey, type PublicJwk, type SigningKey } from './signing-key.js';
import type { SigningKeyEntity } from './signing-key.entity.js';

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
