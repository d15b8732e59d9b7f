import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit/audit.js';
import { ownerIdOf } from '../../common/access/caller.js';
import { Reauthorization } from '../../database/units/reauthorization.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import type { UserAuthority } from '../../users/roles/user-authority.js';
import { UserLocks } from '../../users/rows/user-locks.js';
import { CredentialRevocation } from '../accounts/credential-revocation.js';

/** Ends the personal API tokens of users, for callers with power over their roles. */
@Injectable()
export class PersonalTokenRevocation {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: UserLocks,
    private readonly reauthorization: Reauthorization,
    private readonly credentials: CredentialRevocation,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `user_not_found`, `insufficient_scope`, `invalid_token` */
  async endAll(userId: number, authority: UserAuthority): Promise<void> {
    const { actor, visitor } = authority;
    await this.unitOfWork.run(async (manager) => {
      const user = await this.locks.one(manager, { id: userId, beside: ownerIdOf(actor) });
      const present = await this.reauthorization.confirm(manager, actor, 'users:write');
      authority.as(present).requireOver(user);
      const { ended } = await this.credentials.revoke(manager, user, { reason: 'ended', kinds: ['tokens'] });
      const { email } = user;
      const event = { event: 'token.revoked', outcome: 'success', userId, email, actor: present, visitor } as const;
      const details = { kind: 'personal', tokens: ended.tokens };
      if (ended.tokens > 0) await this.audit.add(manager, { ...event, details });
    });
    this.credentials.settled();
  }
}
