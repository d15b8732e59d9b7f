import { Injectable } from '@nestjs/common';
import type { OutsiderSettings } from '../../config/issuer-settings.js';
import { Settings } from '../../config/settings.js';
import { Reads } from '../../database/statements/reads.js';
import { ActingAdmins } from '../../users/roles/acting-admins.js';
import { hasUsers } from '../../users/rows/user-rows.js';

const LIST = new Intl.ListFormat('en-GB');

/** What operators read where the service has users, and none of them can manage it. */
const NO_ACTING_ADMIN =
  'No admin can sign in: none who is enabled has a password, a proved address or an identity that AUTH_METHODS lets in. ' +
  'Allow what an admin has, or make another one: npm run cli -- user create --email … --name … --role admin --verified.';

/** Whether a service that has users has an admin who can act, or lets admins of others in. */
@Injectable()
export class ActingAdminCheck {
  constructor(
    private readonly admins: ActingAdmins,
    private readonly reads: Reads,
    private readonly settings: Settings,
  ) {}

  /** @returns a sentence for operators; `fault`: none can act, though there are users */
  async look(): Promise<{ readonly fault: boolean; readonly message: string }> {
    if (await this.admins.exist(this.reads)) return { fault: false, message: 'an admin can sign in' };
    const sources = adminSources(this.settings.outsiders);
    if (sources.length > 0) return { fault: false, message: `administrators come from ${LIST.format(sources)}` };
    if (await hasUsers(this.reads)) return { fault: true, message: NO_ACTING_ADMIN };
    return { fault: false, message: firstAdmin(this.settings) };
  }
}

/** What is left to do before anybody can sign in. */
function firstAdmin({ signIn: { adminEmail } }: Settings): string {
  return adminEmail === null
    ? 'nobody can sign in yet: set ADMIN_EMAIL, or run npm run cli -- user create --email … --name … --role admin --verified'
    : `nobody can sign in yet: the next start mails an invitation to ${adminEmail}`;
}

/** The issuers and gateways by whose word people are admins. */
function adminSources({ issuers, gatewayUsers }: OutsiderSettings): string[] {
  const all = [...issuers, ...(gatewayUsers === null ? [] : [gatewayUsers])];
  return all
    .filter(({ roles }) => [...roles.ofGroup.values(), roles.otherwise].includes('admin'))
    .map(({ name }) => name);
}
