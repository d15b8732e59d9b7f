import { DomainError } from '../../common/errors/domain-error.js';
import type { ClusterError } from './cluster-error.js';

const RETRY_AFTER_S = 2;

/** The error of a search while OpenSearch does not answer, or has no index yet. */
export function searchUnavailable(cause?: ClusterError): DomainError {
  const sentence =
    cause?.kind === 'missing' ? 'The search index is being built.' : 'The search does not answer at present.';
  return new DomainError('search_unavailable', `${sentence} Try again in a moment.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
    ...(cause && { cause }),
  });
}
