import { DomainError } from '../../../common/errors/domain-error.js';

/** One refusal for a link that is unknown, used, replaced or over. */
export function invalidLink(): DomainError {
  return new DomainError('invalid_link', 'The link is invalid, was used before or has expired. Ask for another one.');
}
