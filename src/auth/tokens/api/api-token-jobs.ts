import { Injectable } from '@nestjs/common';
import { Job } from '../../../common/jobs/job.decorator.js';
import { deleteOld } from '../../../database/schema/old-rows.js';
import { AgreedTime } from '../../../database/units/agreed-time.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';

const EVERY_MS = 3_600_000;
const KEPT_MS = 90 * 86_400_000;

/** Both are ranges of the index `i_api_tokens_end`. */
const ENDED = ['revoked_at < ?', 'revoked_at IS NULL AND expires_at < ?'];

/** Background jobs of API tokens. */
@Injectable()
export class ApiTokenJobs {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly time: AgreedTime,
  ) {}

  /**
   * Deletes API tokens 90 days after they were revoked or have expired, in small steps. The audit keeps their events.
   */
  @Job({
    name: 'api-tokens.drop-old',
    every: EVERY_MS,
    lock: 'sign-in',
    failure: 'old API tokens could not be dropped',
  })
  async dropOld(signal?: AbortSignal): Promise<void> {
    const before = (await this.time.now()) - KEPT_MS;
    for (const condition of ENDED) {
      await deleteOld(this.unitOfWork, { table: 'api_tokens', condition, before }, signal);
    }
  }
}
