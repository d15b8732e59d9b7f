import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
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
