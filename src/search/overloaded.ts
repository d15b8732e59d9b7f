import { DomainError } from '../common/errors/domain-error.js';

/** A search that cannot be answered now. */
export function overloaded(sentence: string, cause?: unknown): DomainError {
  return new DomainError('overloaded', `${sentence} Try again in a moment.`, {
    headers: { 'Retry-After': '1' },
    ...(cause === undefined ? {} : { cause }),
  });
}
