import { DomainError } from './domain-error.js';

/** More work than can be done now. Nothing of the request has happened, so it can be sent again. */
export function overloaded(sentence: string, cause?: unknown): DomainError {
  return new DomainError('overloaded', `${sentence} Try again in a moment.`, {
    headers: { 'Retry-After': '1' },
    ...(cause === undefined ? {} : { cause }),
  });
}
