import { Injectable } from '@nestjs/common';
import { Reads } from '../../database/statements/reads.js';
import { ActingAdmins } from '../../users/roles/acting-admins.js';
import { hasUsers } from '../../users/rows/user-rows.js';

/** What operators read where the service has users, and none of them can manage it. */
const NO_ACTING_ADMIN =
  'No admin can act: none who is enabled has a password, a proved address or an identity that AUTH_METHODS lets in. ' +
  'Allow what an admin has, or make another one: npm run cli -- user create --email … --name … --role admin --verified.';

/** Whether a service that has users has an admin who can act. */
@Injectable()
export class ActingAdminCheck {
  constructor(
    private readonly admins: ActingAdmins,
    private readonly reads: Reads,
  ) {}

  /** @returns a sentence for operators; `null`: an admin can act, or there are no users yet */
  async fault(): Promise<string | null> {
    if (await this.admins.exist(this.reads)) return null;
    return (await hasUsers(this.reads)) ? NO_ACTING_ADMIN : null;
  }
}
