import { Injectable } from '@nestjs/common';
import { Job } from '../common/jobs/job.decorator.js';
import { Settings } from '../config/settings.js';
import { deleteOld } from '../database/schema/old-rows.js';
import { AgreedTime } from '../database/units/agreed-time.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Takes events out of the audit that are older than they are kept, in small steps. */
@Injectable()
export class AuditJobs {
  constructor(
    private readonly settings: Settings,
    private readonly unitOfWork: UnitOfWork,
    private readonly time: AgreedTime,
  ) {}

  @Job({
    name: 'audit.drop-old',
    every: EVERY_MS,
    lock: 'audit',
    failure: 'old events of the audit could not be dropped',
  })
  async dropOld(signal?: AbortSignal): Promise<void> {
    const { auditRetentionDays: days } = this.settings;
    if (days === 0) return;
    const before = (await this.time.now()) - days * DAY_MS;
    await deleteOld(this.unitOfWork, { table: 'auth_events', condition: 'at < ?', before }, signal);
  }
}
