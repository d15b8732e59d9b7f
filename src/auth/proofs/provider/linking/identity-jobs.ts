import { Injectable } from '@nestjs/common';
import { Job } from '../../../../common/jobs/job.decorator.js';
import { Settings } from '../../../../config/settings.js';
import { execute, select } from '../../../../database/statements/statement.js';
import { UnitOfWork } from '../../../../database/units/unit-of-work.js';
import type { Identity } from '../../../accounts/identity.entity.js';

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
      const open = "provider = 'oidc' AND issuer = '' AND subject > ?";
      const sql = `SELECT subject FROM auth_identities WHERE ${open} ORDER BY subject LIMIT ${AT_ONCE}`;
      const rows = await select<Pick<Identity, 'subject'>>(manager, sql, [after]);
      const upTo = rows.at(-1)?.subject;
      if (upTo === undefined) return null;
      await execute(
        manager,
        `UPDATE auth_identities SET issuer = ? WHERE ${open} AND subject <= ? AND subject NOT IN
          (SELECT subject FROM (SELECT subject FROM auth_identities
            WHERE provider = 'oidc' AND issuer = ? AND subject > ? AND subject <= ?) AS known)`,
        [issuer, after, upTo, issuer, after, upTo],
      );
      return rows.length < AT_ONCE ? null : upTo;
    });
  }
}
