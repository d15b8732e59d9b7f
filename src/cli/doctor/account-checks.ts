import { AccountCredentials, ActingAdminCheck } from '../../auth/accounts/account-credentials.js';
import { ConfiguredTokens } from '../../auth/tokens/api/rows/configured-tokens.js';
import { unattendedTokens, tokensOfFormerSecrets } from '../../auth/tokens/api/token-warnings.js';
import { Clock } from '../../common/clock.js';
import { Reads } from '../../database/statements/reads.js';
import { ActingAdmins } from '../../users/roles/acting-admins.js';
import { CredentialLookup } from '../../users/rows/credential-lookup.js';
import { Accounts } from '../../users/rows/accounts.js';
import { verdict, withExamples, type Check, type OpenDatabase } from './check.js';

/** Checks that an admin can sign in as the settings are, or comes from an issuer or a gateway, if there are users. */
const adminsCheck: Check<OpenDatabase> = {
  name: 'admins',
  async look({ source, dialect, settings }) {
    const lookup = new CredentialLookup();
    lookup.use(new AccountCredentials(settings));
    const check = new ActingAdminCheck(
      new ActingAdmins(new Accounts(dialect, new Clock()), lookup),
      new Reads(source),
      settings,
    );
    const { fault, message } = await check.look();
    return [{ ok: !fault, message }];
  },
};

const NO_FAULT =
  'no service token has lost the user who is responsible for it, and none has ended with a secret of API_TOKENS';

/** Checks that each living service token has a living responsible user, and none has ended with a secret of `API_TOKENS`. */
const tokensCheck: Check<OpenDatabase> = {
  name: 'tokens',
  async look({ source, settings }) {
    const [reads, now] = [new Reads(source), Date.now()];
    const { count, examples } = await unattendedTokens(reads, now);
    const ended = await tokensOfFormerSecrets(reads, new ConfiguredTokens(settings), now);
    const unattended = withExamples(
      count,
      examples.map(
        ({ id, name, hint, ownerId, isDisabled }) =>
          `token ${id} "${name}" (${hint}…): user ${ownerId} is ${isDisabled ? 'disabled' : 'gone'}`,
      ),
      (listed) =>
        `Service tokens live on whose responsible users are gone or disabled: ${count}${listed}. Revoke those that are not needed (token revoke <id>), and let a user make the others again.`,
    );
    return verdict(ended === null ? unattended : [...unattended, ended], NO_FAULT);
  },
};

export const ACCOUNT_CHECKS: readonly Check<OpenDatabase>[] = [adminsCheck, tokensCheck];
