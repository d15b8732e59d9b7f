import type { ErrorName } from './catalogue.js';
import { DomainError } from './domain-error.js';

/** Failures after which a client sends a request again: these say, or let it be taken, that nothing was done. */
const RETRIED_BY_CLIENTS: ReadonlySet<ErrorName> = new Set(['overloaded', 'storage_full', 'internal_error']);

/** A failure of a request of which something is committed: the same one, unless it would have the request repeated. */
export function afterCommit(failure: DomainError): DomainError {
  if (!RETRIED_BY_CLIENTS.has(failure.error)) return failure;
  return new DomainError(
    'outcome_unknown',
    'The write was made, at least in part, but its answer could not be put together. Look at what is there before you send the request again.',
    { cause: failure.cause },
  );
}
