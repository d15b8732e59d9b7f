import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type KeyObject, createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { Logger } from 'pino';
import { IsNull, LessThan, Not, type EntityManager } from 'typeorm';
import { Clock } from '../../../common/clock.js';
import { CachedValue } from '../../../common/concurrency/cached-value.js';
import { LOG } from '../../../common/logging/logging.module.js';
import { seal, unsealWithAny } from '../../../common/seal.js';
import { AppKeys } from '../../../config/values/app-keys.js';
import { isUniqueViolation } from '../../../database/dialect/database-error.js';
import type { ReadRepository } from '../../../database/statements/reads.js';
import { insertRow } from '../../../database/statements/statement.js';
import { REPEATABLE, UnitOfWork } from '../../../database/units/unit-of-work.js';
import { SigningKeyEntity } from './signing-key.entity.js';

/** Life of an access token in seconds, fixed by the specification. */
export const ACCESS_TOKEN_SECONDS = 900;

/** Media type of access tokens, so that no other token of ours passes for one. @see RFC 9068 */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

export const ACCESS_TOKEN_ALGORITHM = 'ES256';

/** Claims that are left of an access token once it is checked. */
export interface AccessClaims {
  readonly kid: string;
  readonly userId: number;
  readonly sessionId: string;
  /** Time at which the user proved who they are, milliseconds since 1970, UTC. */
  readonly authTime: number;
  /** Milliseconds since 1970, UTC. */
  readonly expiresAt: number;
}

/** A public key as it is published. @see RFC 7517 */
type PublicJwk = ReturnType<typeof publicJwk>;

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** A new pair of keys on the curve P-256, as it is stored. @param sealingKey 32 bytes */
function newSigningKey(sealingKey: Buffer, slot: 'next' | 'active', now: number): SigningKeyEntity {
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

/** The text of a key sealed anew; `null`: it was sealed with the present key, or with none of them. */
function resealed(present: Buffer, former: readonly Buffer[], stored: SigningKeyEntity): string | null {
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

function publicJwk(publicKey: KeyObject) {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { kty: 'EC', crv: 'P-256', x, y, kid: thumbprint(x, y), alg: 'ES256', use: 'sig' } as const;
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
  /** Public halves of all keys that sign, signed, or will sign. */
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

  /** True if the keys are the same still, in the same states. */
  isOf(rows: readonly SigningKeyEntity[]): boolean {
    const names = (keys: readonly SigningKeyEntity[]): string => keys.map(({ id, state }) => `${id} ${state}`).join();
    return names(rows) === names(this.stored);
  }
}

/** A retired key is accepted until its last token is over, and a minute longer for clocks that differ. */
const RETIRED_MS = (ACCESS_TOKEN_SECONDS + 60) * 1_000;

/** The keys that sign and check access tokens: in the database, with their private halves sealed by `APP_SECRET`. */
@Injectable()
export class SigningKeys implements OnApplicationBootstrap {
  private readonly ring: CachedValue<KeyRing>;
  private readonly sealingKey: Buffer;
  /** Keys that were sealed earlier may have been with another secret. */
  private readonly sealingKeys: readonly Buffer[];

  constructor(
    @InjectRepository(SigningKeyEntity) private readonly rows: ReadRepository<SigningKeyEntity>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Logger,
    keys: AppKeys,
  ) {
    this.sealingKey = keys.key('signing-keys');
    this.sealingKeys = keys.keys('signing-keys');
    this.ring = new CachedValue(new KeyRing([], this.sealingKeys), (known) => this.read(known));
  }

  /** Seals with `APP_SECRET` what `APP_SECRET_OLD` has sealed, so that the old secret is needed no more. */
  async onApplicationBootstrap(): Promise<void> {
    const [present, ...former] = this.sealingKeys;
    if (present === undefined || former.length === 0) return;
    const found = (await this.rows.find()).map((row) => ({ row, sealed: resealed(present, former, row) }));
    await this.unitOfWork.run(async (manager) => {
      for (const { row, sealed } of found) {
        const { id, sealedKey } = row;
        if (sealed !== null) await manager.update(SigningKeyEntity, { id, sealedKey }, { sealedKey: sealed });
      }
    }, REPEATABLE);
  }

  /** The keys whose tokens are accepted. Asked for each token that was not seen before. */
  current(): Promise<KeyRing> {
    return this.ring.current();
  }

  /** The key that signs; makes the first one. */
  async signing(): Promise<SigningKey> {
    return (await this.ready()).signing ?? unreadable();
  }

  /** The keys with the first ones made, where there were none. */
  async ready(): Promise<KeyRing> {
    const ring = await this.current();
    return ring.signing ? ring : this.made();
  }

  /**
   * The published next key signs from now on, and another one is published. If another process does the same, there is one
   * rotation: a key that was not published long enough must not sign.
   *
   * @param isLeaked whether all tokens that were signed so far are refused at once
   */
  async rotate({ isLeaked = false } = {}) {
    const { kid: from } = await this.signing();
    const rotation = await this.unitOfWork.run((manager) => this.turn(manager, from, isLeaked));
    this.ring.refresh();
    return rotation;
  }

  private async read(known: KeyRing): Promise<KeyRing> {
    const rows = await this.rows.find({ order: { createdAt: 'DESC', id: 'ASC' } });
    const horizon = this.clock.now() - RETIRED_MS;
    const living = rows.filter(({ retiredAt }) => retiredAt === null || retiredAt > horizon);
    return known.isOf(living) ? known : new KeyRing(living, this.sealingKeys);
  }

  private async made(): Promise<KeyRing> {
    const { stored } = await this.current();
    if (stored.some(({ slot }) => slot === 'active')) {
      this.log.warn('APP_SECRET was changed: the keys of access tokens cannot be opened, new ones take their place');
    }
    await this.makeFirst();
    this.ring.refresh();
    return this.current();
  }

  /** Makes the first key. If several processes begin together, the unique slot lets one through. */
  private async makeFirst(): Promise<void> {
    const { stored } = await this.current();
    const unreadableIds = stored.filter(({ slot }) => slot !== null).map(({ id }) => id);
    const now = this.clock.now();
    const fresh = (['active', 'next'] as const).map((slot) => newSigningKey(this.sealingKey, slot, now));
    try {
      await this.unitOfWork.run(async (manager) => {
        for (const id of unreadableIds) await retire(manager, id, now);
        await manager.insert(SigningKeyEntity, structuredClone(fresh));
      }, REPEATABLE);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
  }

  /** Retiring the key that signed so far decides: of many who rotate at once one goes on. */
  private async turn(manager: EntityManager, from: string, isLeaked: boolean) {
    const now = this.clock.now();
    const isFirst = await retire(manager, from, now);
    const keys = await manager.find(SigningKeyEntity);
    const next = keys.find(({ slot }) => slot === 'next') ?? unreadable();
    const active = isFirst ? next : (keys.find(({ slot }) => slot === 'active') ?? unreadable());
    const following = isFirst ? await this.advance(manager, next, now) : next;
    const horizon = isLeaked ? Number.MAX_SAFE_INTEGER : now - RETIRED_MS;
    await manager.delete(SigningKeyEntity, { retiredAt: LessThan(horizon) });
    return { active: active.id, next: following.id, retired: from };
  }

  /** @returns the new next key */
  private async advance(manager: EntityManager, { id }: SigningKeyEntity, now: number): Promise<SigningKeyEntity> {
    const fresh = newSigningKey(this.sealingKey, 'next', now);
    await manager.update(SigningKeyEntity, { id }, { state: 'active', slot: 'active', activatedAt: now });
    await insertRow(manager, SigningKeyEntity, fresh);
    return fresh;
  }
}

/** @returns whether it was in use until now */
async function retire(manager: EntityManager, id: string, now: number): Promise<boolean> {
  const inUse = { id, slot: Not(IsNull()) };
  const { affected } = await manager.update(SigningKeyEntity, inUse, { state: 'retired', slot: null, retiredAt: now });
  return affected !== 0;
}

function unreadable(): never {
  throw new Error('There is no key that could sign: another process has another APP_SECRET.');
}
