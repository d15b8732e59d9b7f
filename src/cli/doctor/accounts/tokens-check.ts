import { unattendedTokens, type UnattendedToken } from '../../../auth/tokens/api/unattended-tokens.js';
import { ConfiguredTokens } from '../../../auth/tokens/api/rows/configured-tokens.js';
import { tokensOfFormerSecrets } from '../../../auth/tokens/api/former-secrets.js';
import { Reads } from '../../../database/statements/reads.js';
import type { Check, CheckResult, OpenDatabase } from '../check.js';

const NO_FAULT =
  'no service token has lost the user who is responsible for it, and none has ended with a secret of API_TOKENS';

/**
 * Whether a living user is responsible for every living service token that ever had one, and no token has ended with a
 * secret of `API_TOKENS`.
 */
export const tokensCheck: Check<OpenDatabase> = {
  name: 'tokens',
  async look({ source, settings }) {
    const reads = new Reads(source);
    const now = Date.now();
    const ended = await tokensOfFormerSecrets(reads, new ConfiguredTokens(settings), now);
    const faults = [...(await unattended(reads, now)), ...(ended === null ? [] : [{ ok: false, message: ended }])];
    return faults.length > 0 ? faults : [{ ok: true, message: NO_FAULT }];
  },
};

async function unattended(reads: Reads, now: number): Promise<CheckResult[]> {
  const { count, examples } = await unattendedTokens(reads, now);
  if (count === 0) return [];
  const shown = count > examples.length ? `, of which the first ${examples.length} are named here` : '';
  const message = `Service tokens live on whose responsible users are gone or disabled: ${count}${shown}. Revoke those that are not needed (token revoke <id>), and have a user make the others anew.`;
  return [{ ok: false, message }, ...examples.map((token) => ({ ok: false, message: lineOf(token) }))];
}

function lineOf({ id, name, hint, ownerId, isDisabled }: UnattendedToken): string {
  return `token ${id} "${name}" (${hint}…): user ${ownerId} is ${isDisabled ? 'disabled' : 'gone'}`;
}
