import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import { IsNull, LessThan, Not, type EntityManager } from 'typeorm';
import { Clock } from '../../../common/clock.js';
import { CachedValue } from '../../../common/concurrency/cached-value.js';
import { LOG } from '../../../common/logging/logging.module.js';
import { AppKeys } from '../../../config/values/app-keys.js';
import { isUniqueViolation } from '../../../database/dialect/database-error.js';
import type { ReadRepository } from '../../../database/statements/reads.js';
import { insertRow } from '../../../database/statements/statement.js';
import { REPEATABLE, UnitOfWork } from '../../../database/units/unit-of-work.js';
import { ACCESS_TOKEN_SECONDS, KeyRing, newSigningKey, resealed, type SigningKey } from './key-ring.js';
import { SigningKeyEntity } from './signing-key.entity.js';

/** A retired key is accepted until its last token is over, and a minute longer for clocks that differ. */
const RETIRED_MS = (ACCESS_TOKEN_SECONDS + 60) * 1_000;

/** How keys change places. */
export interface Rotation {
  /** The key that signs from now on. */
  readonly active: string;
  readonly next: string;
  readonly retired: string;
}

/**
 * The keys that sign and check access tokens: kept in the database, so that every process has the same ones,
 * with their private halves sealed by `APP_SECRET`.
 */
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
   * The published next key signs from now on, and another one is published for the time after it. Where another process
   * does the same at this moment, there is one rotation: a key that was not published long enough must not sign.
   *
   * @param isLeaked whether all tokens that were signed so far are refused at once
   */
  async rotate({ isLeaked = false } = {}): Promise<Rotation> {
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

  /** Of several processes that begin together, the unique slot lets one through. */
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
  private async turn(manager: EntityManager, from: string, isLeaked: boolean): Promise<Rotation> {
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
