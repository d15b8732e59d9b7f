import type { Caller } from '../../common/access/caller.js';
import { DomainError } from '../../common/errors/domain-error.js';

/** @throws {DomainError} `insufficient_scope`, with the scopes that the caller does not hold and so cannot hand on */
export function requireGrantable({ scopes: held }: Caller, scopes: readonly string[]): void {
  const missing = scopes.filter((scope) => !held.has('*') && !held.has(scope) && !held.has(forEveryType(scope)));
  if (missing.length === 0) return;
  throw new DomainError('insufficient_scope', `You cannot grant what you do not hold: ${missing.join(', ')}.`, {
    details: missing.map((scope) => ({ scope })),
  });
}

/** `records:read:post` -> `records:read` */
function forEveryType(scope: string): string {
  return scope.split(':', 2).join(':');
}
