import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../common/clock.js';
import { Job } from '../../../common/jobs/job.decorator.js';
import { LOG } from '../../../common/logging/logging.module.js';
import { Reads } from '../../../database/statements/reads.js';
import { tokensOfFormerSecrets } from './former-secrets.js';
import { ConfiguredTokens } from './rows/configured-tokens.js';
import { unattendedTokens } from './unattended-tokens.js';

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
