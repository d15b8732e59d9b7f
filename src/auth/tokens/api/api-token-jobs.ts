import { Injectable, Inject } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../common/clock.js';
import { Job } from '../../../common/jobs/job.decorator.js';
import { LOG } from '../../../common/logging/logging.module.js';
import { deleteOld } from '../../../database/schema/old-rows.js';
import { Reads } from '../../../database/statements/reads.js';
import { AgreedTime } from '../../../database/units/agreed-time.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { ConfiguredTokens } from './rows/configured-tokens.js';
import { unattendedTokens, tokensOfFormerSecrets } from './unattended-tokens.js';

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

/** What operators should hear of API tokens at a start. */
@Injectable()
export class TokenWarningJobs {
  constructor(
    private readonly reads: Reads,
    private readonly clock: Clock,
    private readonly configured: ConfiguredTokens,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** One job: a stop waits for one that has begun, and begins no other. */
  @Job({
    name: 'api-tokens.warn',
    once: 'started',
    failure: 'API tokens that need an operator could not be looked for',
  })
  async warn(): Promise<void> {
    await this.warnOfUnattended();
    await this.warnOfFormerSecrets();
  }

  /** In one line, of service tokens that live on without a user who is responsible for them. */
  private async warnOfUnattended(): Promise<void> {
    const { count } = await unattendedTokens(this.reads, this.clock.now());
    if (count === 0) return;
    this.log.warn(
      { tokens: count },
      'service tokens live on whose responsible users are gone or disabled: npm run cli -- doctor names them',
    );
  }

  /** A secret that was changed takes tokens out of use that others hold. */
  private async warnOfFormerSecrets(): Promise<void> {
    const sentence = await tokensOfFormerSecrets(this.reads, this.configured, this.clock.now());
    if (sentence !== null) this.log.warn(sentence);
  }
}
