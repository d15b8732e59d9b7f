import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Job } from '../../common/jobs/job.decorator.js';
import type { OutsiderSettings } from '../../config/issuer-settings.js';
import { Settings } from '../../config/settings.js';
import { type ReadRepository, Reads } from '../../database/statements/reads.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { Accounts } from '../../users/rows/accounts.js';
import { USER, usersBy } from '../../users/rows/user-rows.js';
import { Identity, OF_ISSUER, providerOfIssuer } from '../accounts/identity.entity.js';

const AT_ONCE = 500;

/** Forgets the roles that issuers named which are not in the settings any more: no request has them. */
@Injectable()
export class IssuerJobs {
  constructor(
    @InjectRepository(Identity) private readonly identities: ReadRepository<Identity>,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly settings: Settings,
  ) {}

  /** Where an issuer comes back, the next token of a user names the role again. */
  @Job({ name: 'issuers.departed', once: 'listening', failure: 'roles of former issuers could not be forgotten' })
  async forgetRoles(): Promise<void> {
    const known = providersOf(this.settings.outsiders);
    const rows = await this.identities
      .createQueryBuilder('identity')
      .select('identity.provider', 'provider')
      .distinct()
      .where({ provider: OF_ISSUER })
      .getRawMany<{ readonly provider: string }>();
    for (const { provider } of rows.filter((row) => !known.has(row.provider))) {
      for (let last: number | null = 0; last !== null;) last = await this.forgetSome(provider, last);
    }
  }

  /** @returns the last user of those that were looked at; `null`: there are no more */
  private async forgetSome(provider: string, after: number): Promise<number | null> {
    const rows = await this.reads.select<{ user_id: number | string }>(
      `SELECT i.user_id FROM auth_identities i JOIN ${usersBy('i.user_id')} ` +
        `WHERE i.provider = ? AND i.user_id > ? AND ${USER.issuerRole} IS NOT NULL ORDER BY i.user_id LIMIT ${AT_ONCE}`,
      [provider, after],
    );
    const ids = rows.map((row) => Number(row.user_id));
    if (ids.length > 0) await this.unitOfWork.run((manager) => this.accounts.forgetIssuerRoles(manager, ids));
    return ids.length < AT_ONCE ? null : (ids.at(-1) ?? null);
  }
}

function providersOf({ issuers, gatewaySecret, gatewayUsers }: OutsiderSettings): ReadonlySet<string> {
  const gateway = gatewaySecret === null || gatewayUsers === null ? [] : [gatewayUsers];
  return new Set([...issuers, ...gateway].map(({ name }) => providerOfIssuer(name)));
}
