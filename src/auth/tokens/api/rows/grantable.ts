import { missingScopes, type Caller } from '../../../../common/access/caller.js';
import { insufficientScope } from '../../../../common/access/insufficient-scope.js';

/** @throws {DomainError} `insufficient_scope`, with the scopes that the caller does not hold and so cannot hand on */
export function requireGrantable(caller: Caller, scopes: readonly string[]): void {
  const missing = missingScopes(caller, scopes);
  if (missing.length === 0) return;
  throw insufficientScope(`You cannot grant what you do not hold: ${missing.join(', ')}.`, missing);
}

/** @throws {DomainError} `insufficient_scope`, with the scopes of tokens that the caller does not hold and so cannot end */
export function requirePowerOver(caller: Caller, scopes: readonly string[]): void {
  const missing = missingScopes(caller, scopes);
  if (missing.length === 0) return;
  throw insufficientScope(`You cannot end a token that may do more than you: ${missing.join(', ')}.`, missing);
}
