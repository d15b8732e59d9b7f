import { unattendedTokens, type UnattendedToken } from '../../../auth/tokens/api/unattended-tokens.js';
import { Reads } from '../../../database/statements/reads.js';
import type { Check, OpenDatabase } from '../check.js';

/** Whether a living user is responsible for every living service token that ever had one. */
export const tokensCheck: Check<OpenDatabase> = {
  name: 'tokens',
  async look({ source }) {
    const { count, examples } = await unattendedTokens(new Reads(source), Date.now());
    if (count === 0) return [{ ok: true, message: 'no service token has lost the user who is responsible for it' }];
    const shown = count > examples.length ? `, of which the first ${examples.length} are named here` : '';
    const message = `Service tokens live on whose responsible users are gone or disabled: ${count}${shown}. Revoke those that are not needed (token revoke <id>), and have a user make the others anew.`;
    return [{ ok: false, message }, ...examples.map((token) => ({ ok: false, message: lineOf(token) }))];
  },
};

function lineOf({ id, name, hint, ownerId, isDisabled }: UnattendedToken): string {
  return `token ${id} "${name}" (${hint}…): user ${ownerId} is ${isDisabled ? 'disabled' : 'gone'}`;
}
