import { DomainError, ValidationError } from '../../../../common/errors/domain-error.js';

export function tokenNotFound(id: string | number): DomainError {
  return new DomainError('token_not_found', `There is no working API token ${id}.`);
}

/** @param whose which tokens are counted, as the end of a sentence: `of the user` */
export function tooManyTokens(whose: string, most: number): DomainError {
  return new DomainError('too_many_tokens', `There are ${most} working API tokens ${whose} already. Revoke one first.`);
}

export function expiryIsOver(): ValidationError {
  const message = 'expires_at must lie in the future, or be "never".';
  return new ValidationError([{ field: 'expires_at', rule: 'future', message }]);
}
