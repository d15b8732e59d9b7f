import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Chores } from '../common/chores.js';
import { Clock } from '../common/clock.js';
import { LOG } from '../common/logging/logging.module.js';
import { Settings } from '../config/settings.js';
import { deleteOld } from '../database/old-rows.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { asUnavailable } from '../database/database-error.js';

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Takes events out of the audit that are older than they are kept, beside everything else and in small steps. */
@Injectable()
export class AuditRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;

  constructor(
    private readonly settings: Settings,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(LOG) log: Logger,
  ) {
    this.chores = new Chores(log, 'old events of the audit could not be dropped', asUnavailable);
  }

  onApplicationBootstrap(): void {
    this.chores.every(EVERY_MS, () => this.dropOld());
  }

  onModuleDestroy(): Promise<void> {
    return this.chores.stop();
  }

  /** Drops what is too old by now. */
  async dropOld(): Promise<void> {
    const { auditRetentionDays: days } = this.settings;
    if (days === 0) return;
    const before = this.clock.now() - days * DAY_MS;
    await deleteOld(this.unitOfWork, { table: 'auth_events', condition: 'at < ?', before }, this.chores);
  }
}
