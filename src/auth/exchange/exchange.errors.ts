import { DomainError } from '../../common/errors/domain-error.js';

/** The provider, or we, do not take a code. */
export function invalidCodeExchange(cause?: unknown): DomainError {
  const message = 'The code is wrong, used or expired, or its verifier is missing. Begin the sign-in again.';
  return new DomainError('invalid_code_exchange', message, { cause });
}
