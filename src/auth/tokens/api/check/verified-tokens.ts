import { Injectable, Inject, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Caller } from '../../../../common/access/caller.js';
import { Clock } from '../../../../common/clock.js';
import { Reads } from '../../../../database/statements/reads.js';
import { CredentialCache } from '../../../../common/concurrency/credential-cache.js';
import { ConfiguredTokens } from '../rows/configured-tokens.js';
import { callerWith, SELECT_TOKENS, type TokenRow } from './token-caller.js';
import type { Logger } from 'pino';
import { IsNull, LessThanOrEqual, Or } from 'typeorm';
import { inBackground } from '../../../../common/jobs/background.js';
import { LOG } from '../../../../common/logging/logging.module.js';
import { UnitOfWork } from '../../../../database/units/unit-of-work.js';
import { ApiToken } from '../rows/api-token.entity.js';

const PRECISION_MS = 60_000;
const WRITE_AFTER_MS = 1_000;

/** Keeps when each API token was last used: to the minute, and never while a request waits. */
@Injectable()
export class LastUse implements BeforeApplicationShutdown {
  /** Uses that are not written yet, by the id of the token. */
  private uses = new Map<number, number>();
  /** Uses of the last minute that need no second write. */
  private readonly written = new Map<number, number>();
  private timer: NodeJS.Timeout | undefined;
  private saving: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  note(tokenId: number, now: number): void {
    if (this.isStopped || this.uses.has(tokenId) || now - (this.written.get(tokenId) ?? 0) < PRECISION_MS) return;
    this.uses.set(tokenId, now);
    this.timer ??= setTimeout(() => void inBackground(() => this.write()), WRITE_AFTER_MS).unref();
  }

  /** Writes what was noted, after what is being written. A failure is logged and forgotten: the next use comes soon enough. */
  write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const uses = [...this.uses];
    this.uses = new Map();
    this.remember(uses);
    this.saving = this.saving.then(() => this.save(uses));
    return this.saving;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.write();
  }

  /** In the order of ids, so that two processes lock the rows one after the other. */
  private async save(uses: readonly (readonly [number, number])[]): Promise<void> {
    const inOrder = uses.toSorted(([one], [other]) => one - other);
    if (inOrder.length === 0) return;
    try {
      await this.unitOfWork.run(async (manager) => {
        for (const [id, usedAt] of inOrder) {
          const isLater = Or(IsNull(), LessThanOrEqual(usedAt - PRECISION_MS));
          await manager.update(ApiToken, { id, lastUsedAt: isLater }, { lastUsedAt: usedAt });
        }
      });
    } catch (err) {
      this.log.warn({ err }, 'the last use of API tokens could not be written');
    }
  }

  private remember(uses: readonly (readonly [number, number])[]): void {
    const newest = Math.max(0, ...uses.map(([, usedAt]) => usedAt));
    for (const [id, usedAt] of this.written) if (newest - usedAt >= PRECISION_MS) this.written.delete(id);
    for (const [id, usedAt] of uses) this.written.set(id, usedAt);
  }
}

type Verified = NonNullable<ReturnType<typeof callerWith>>;

/** Resolves the callers of API tokens, cached for a few seconds each. */
@Injectable()
export class VerifiedTokens {
  private readonly verified: CredentialCache<Verified>;

  constructor(
    private readonly reads: Reads,
    private readonly clock: Clock,
    private readonly lastUse: LastUse,
    private readonly configured: ConfiguredTokens,
  ) {
    this.verified = new CredentialCache(clock, (hash) => this.find(hash));
  }

  /**
   * The caller with the token of that hash; `null` where there is none, or not any more.
   *
   * @param beforeSearch awaited before the database is asked for a hash that it was never asked for with success; may throw
   */
  async callerOf(hash: string, beforeSearch?: () => Promise<void>): Promise<Caller | null> {
    if (!this.verified.has(hash)) await beforeSearch?.();
    const found = this.verified.known(hash) ?? (await this.verified.get(hash));
    const now = this.clock.now();
    if (!found || (found.token.expiresAt ?? Infinity) <= now) return null;
    this.lastUse.note(found.id, now);
    return found;
  }

  /** Has the next requests ask the database: tokens were ended or changed, or something happened to a user. That is rare. */
  forgetAll(): void {
    this.verified.forgetAll();
  }

  private async find(tokenHash: string): Promise<Verified | null> {
    const [row] = await this.reads.select<TokenRow>(`${SELECT_TOKENS} t.token_hash = ?`, [tokenHash]);
    return row ? callerWith(row, this.configured) : null;
  }
}
