import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { Job } from '../../../../common/jobs/job.decorator.js';
import { Settings } from '../../../../config/settings.js';
import { execute } from '../../../../database/statements/statement.js';
import { UnitOfWork } from '../../../../database/units/unit-of-work.js';
import { Identity } from '../../../accounts/identity.entity.js';

const AT_ONCE = 500;

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
    for (let last: string | null = ''; last !== null;) last = await this.noteSome(issuer, last);
  }

  /**
   * Some of them, in the order of their subjects: a unit of work ends soon, however many there are.
   *
   * @returns the last subject; `null`: there are no more
   */
  private noteSome(issuer: string, after: string): Promise<string | null> {
    return this.unitOfWork.run(async (manager) => {
      const open = await manager.find(Identity, {
        select: { id: true, subject: true },
        where: { provider: 'oidc', issuer: '', subject: MoreThan(after) },
        order: { subject: 'ASC' },
        take: AT_ONCE,
      });
      const upTo = open.at(-1)?.subject;
      if (upTo === undefined) return null;
      await execute(
        manager,
        `UPDATE auth_identities SET issuer = ?
          WHERE provider = 'oidc' AND issuer = '' AND subject > ? AND subject <= ? AND subject NOT IN
          (SELECT subject FROM (SELECT subject FROM auth_identities
            WHERE provider = 'oidc' AND issuer = ? AND subject > ? AND subject <= ?) AS known)`,
        [issuer, after, upTo, issuer, after, upTo],
      );
      return open.length < AT_ONCE ? null : upTo;
    });
  }
}
