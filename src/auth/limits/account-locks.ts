import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import type { JobQueue } from '../../common/jobs/job-queue.js';
import { JobRunner } from '../../common/jobs/job-runner.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { UsersService } from '../../users/users.service.js';

/** What too many failures have locked. */
export type LockedMethod = 'password' | 'code';

/**
 * Writes down that failures begin to keep an account from a way to sign in. Not within the request: its owner gets a
 * mail by that, and an address without an account none, which the time of an answer must not show.
 */
@Injectable()
export class AccountLocks {
  /** Each event in it stands for ten failures or more. */
  private readonly queue: JobQueue;

  constructor(
    private readonly users: UsersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    runner: JobRunner,
  ) {
    this.queue = runner.queueOf(this, 'a lock of an account could not be written to the audit');
  }

  /** To be called for addresses without an account as well. Returns at once. */
  begin(method: LockedMethod, emailKey: string, visitor: Visitor): void {
    void this.queue.start(() => this.write(method, emailKey, visitor));
  }

  private async write(method: LockedMethod, emailKey: string, visitor: Visitor): Promise<void> {
    const account = await this.users.findByKey(emailKey);
    const whose = account ? { userId: account.id, email: account.email } : { typedEmail: emailKey };
    await this.unitOfWork.run((manager) =>
      this.audit.add(manager, { event: 'account.locked', outcome: 'failure', ...whose, visitor, details: { method } }),
    );
  }
}
