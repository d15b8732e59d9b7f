import type { DerivedIndexReport } from '../../common/derived-indexes.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { ClusterError } from './cluster/cluster-error.js';

const RETRY_AFTER_S = 2;
const REFUSED = {
  other_database: 'The search index belongs to another database.',
  newer_release: 'The search index was made by a newer release of the service.',
} as const;

/** The error of a search while OpenSearch does not answer, or has no index yet that this service can search. */
export function searchUnavailable(
  cause?: ClusterError,
  { reason }: Pick<DerivedIndexReport, 'reason'> = { reason: null },
): DomainError {
  const sentence = reason ? REFUSED[reason] : sentenceOf(cause);
  return new DomainError('search_unavailable', `${sentence} Try again in a moment.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
    ...(cause && { cause }),
  });
}

function sentenceOf(cause: ClusterError | undefined): string {
  return cause?.kind === 'missing' ? 'The search index is being built.' : 'The search does not answer at present.';
}
