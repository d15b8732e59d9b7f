/**
 * Why a request to OpenSearch failed:
 *
 * - `away`: it could not be reached, or the connection broke off;
 * - `late`: there was no answer in time;
 * - `busy`: it refused for now (429), or has no part of the index that could answer (502 to 504);
 * - `missing`: it knows no such index or document (404);
 * - `conflict`: a newer version is there already (409);
 * - `closed`: it does not take the user of `SEARCH_URL` (401, 403);
 * - `refused`: the request itself is wrong, to this version of OpenSearch.
 */
export type FailureKind = 'away' | 'late' | 'busy' | 'missing' | 'conflict' | 'closed' | 'refused';

const KINDS: Readonly<Record<number, FailureKind>> = {
  401: 'closed',
  403: 'closed',
  404: 'missing',
  409: 'conflict',
  429: 'busy',
  502: 'busy',
  503: 'busy',
  504: 'busy',
};

/** A request to OpenSearch failed. */
export class ClusterError extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** @param reason the name of its error: `index_not_found_exception`. Its sentence may repeat content and stays out. */
  static ofStatus(status: number, reason: string): ClusterError {
    return new ClusterError(KINDS[status] ?? 'refused', `OpenSearch answers ${status} ${reason}`);
  }
}
