import { AccountCredentials } from '../../../auth/accounts/account-credentials.js';
import { ActingAdminCheck } from '../../../auth/accounts/acting-admin-check.js';
import { Reads } from '../../../database/statements/reads.js';
import { ActingAdmins } from '../../../users/roles/acting-admins.js';
import { CredentialLookup } from '../../../users/rows/credential-lookup.js';
import { UserLocks } from '../../../users/rows/user-locks.js';
import type { Check, OpenDatabase } from '../check.js';

/** Whether an admin can sign in as the settings are, or comes from an issuer or a gateway, where there are users. */
export const adminsCheck: Check<OpenDatabase> = {
  name: 'admins',
  async look({ source, dialect, settings }) {
    const lookup = new CredentialLookup();
    lookup.use(new AccountCredentials(settings));
    const check = new ActingAdminCheck(new ActingAdmins(new UserLocks(dialect), lookup), new Reads(source), settings);
    const { fault, message } = await check.look();
    return [{ ok: !fault, message }];
  },
};
