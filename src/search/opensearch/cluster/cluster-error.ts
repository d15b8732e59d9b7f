/**
 * Why a request to OpenSearch failed:
 *
 * - `away`: it could not be reached, or the connection broke off;
 * - `late`: there was no answer in time;
 * - `busy`: it refused for now (429), or has no part of the index that could answer (502 to 504);
 * - `missing`: it knows no such index or document (404), or the index was closed by an operator;
 * - `conflict`: a newer version is there already (409);
 * - `closed`: it does not take the user of `SEARCH_URL` (401, 403);
 * - `stopped`: its signal was aborted, and it may have been done or not;
 * - `refused`: the request itself is wrong, to this version of OpenSearch.
 */
export type FailureKind = 'away' | 'late' | 'busy' | 'missing' | 'conflict' | 'closed' | 'stopped' | 'refused';

/** The reason of a 400 that says nothing of the request. */
const CLOSED_INDEX = 'index_closed_exception';

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
    /** The name of the error of OpenSearch: `index_not_found_exception`; `null`: it has not answered. */
    readonly reason: string | null = null,
  ) {
    super(message, options);
  }

  /** That of a request whose signal is aborted. */
  static ofAbort(): ClusterError {
    return new ClusterError('stopped', 'a request to OpenSearch was given up');
  }

  /** @param reason the name of its error: `index_not_found_exception`. Its sentence may repeat content and stays out. */
  static ofStatus(status: number, reason: string): ClusterError {
    const kind = reason === CLOSED_INDEX ? 'missing' : (KINDS[status] ?? 'refused');
    return new ClusterError(kind, `OpenSearch answers ${status} ${reason}`, {}, reason);
  }
}
