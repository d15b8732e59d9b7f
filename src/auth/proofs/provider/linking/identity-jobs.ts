import { Injectable } from '@nestjs/common';
import { Job } from '../../../../common/jobs/job.decorator.js';
import { Settings } from '../../../../config/settings.js';
import { execute } from '../../../../database/statements/statement.js';
import { UnitOfWork } from '../../../../database/units/unit-of-work.js';

/**
 * Identities that a former release has linked do not say of which OpenID Connect provider they are: of the one that the
 * service is started with first.
 */
@Injectable()
export class IdentityJobs {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  /** One that was linked again meanwhile stays as it is. */
  @Job({ name: 'identities.issuers', once: 'listening', failure: 'identities could not be given their issuer' })
  async noteIssuers(): Promise<void> {
    const issuer = this.settings.providers.oidc?.issuer;
    if (issuer === undefined) return;
    await this.unitOfWork.run((manager) =>
      execute(
        manager,
        "UPDATE auth_identities SET issuer = ? WHERE provider = 'oidc' AND issuer = '' AND subject NOT IN " +
          "(SELECT subject FROM (SELECT subject FROM auth_identities WHERE provider = 'oidc' AND issuer = ?) AS known)",
        [issuer, issuer],
      ),
    );
  }
}
