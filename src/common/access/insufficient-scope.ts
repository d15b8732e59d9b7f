import { DomainError } from '../errors/domain-error.js';

/** The refusal of a caller who lacks scopes: its details name them. */
export function insufficientScope(message: string, scopes: readonly string[]): DomainError {
  return new DomainError('insufficient_scope', message, { details: scopes.map((scope) => ({ scope })) });
}
