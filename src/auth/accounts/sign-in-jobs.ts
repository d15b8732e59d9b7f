import { Injectable } from '@nestjs/common';
import { Job } from '../../common/jobs/job.decorator.js';
import { deleteOld } from '../../database/schema/old-rows.js';
import { AgreedTime } from '../../database/units/agreed-time.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';

const EVERY_MS = 3_600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Rows that are dropped, and how long they are kept after the time in their condition. */
const OLD = [
  // A one-time code that comes a second time within the hour still ends the session of the first time.
  { table: 'auth_challenges', condition: 'expires_at < ?', keptMs: HOUR_MS },
  { table: 'auth_sessions', condition: 'expires_at < ?', keptMs: 30 * DAY_MS },
  { table: 'auth_sessions', condition: 'revoked_at < ?', keptMs: 30 * DAY_MS },
  { table: 'auth_counters', condition: 'ends_at < ?', keptMs: 7 * DAY_MS },
  // Both are ranges of the index `i_api_tokens_end`.
  { table: 'api_tokens', condition: 'revoked_at < ?', keptMs: 90 * DAY_MS },
  { table: 'api_tokens', condition: 'revoked_at IS NULL AND expires_at < ?', keptMs: 90 * DAY_MS },
];

/** Forgets in small steps what signing in and API tokens have left behind. The audit keeps their events. */
@Injectable()
export class SignInJobs {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly time: AgreedTime,
  ) {}

  @Job({
    name: 'sign-in.drop-old',
    every: EVERY_MS,
    lock: 'sign-in',
    failure: 'old sessions, challenges and API tokens could not be dropped',
  })
  async dropOld(signal?: AbortSignal): Promise<void> {
    const now = await this.time.now();
    for (const { table, condition, keptMs } of OLD) {
      await deleteOld(this.unitOfWork, { table, condition, before: now - keptMs }, signal);
    }
  }
}
