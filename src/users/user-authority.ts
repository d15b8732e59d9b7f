import { missingScopes, type Caller } from '../common/access/caller.js';
import { insufficientScope } from '../common/access/insufficient-scope.js';
import { scopesOf, type Role } from './roles.js';

/**
 * Decides over which users somebody may have power, by their role: to give it, and to change whoever has it.
 *
 * @throws {DomainError} `insufficient_scope`
 */
export type Authority = (role: Role) => void;

/** The service itself and its command line, which answer to nobody. */
export const EVERY_ROLE: Authority = () => undefined;

/** Nobody can give, or take over by a new password or e-mail address, more than they hold themselves. */
export function authorityOf(caller: Caller): Authority {
  return (role) => {
    const missing = missingScopes(caller, scopesOf(role));
    if (missing.length === 0) return;
    throw insufficientScope(
      `Users with the role ${role} can only be managed with all scopes of that role. Missing: ${missing.join(', ')}.`,
      missing,
    );
  };
}
