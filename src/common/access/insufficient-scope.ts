import { DomainError } from '../errors/domain-error.js';

export function insufficientScope(message: string, scopes: readonly string[]): DomainError {
  return new DomainError('insufficient_scope', message, { details: scopes.map((scope) => ({ scope })) });
}
