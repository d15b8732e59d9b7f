import { ClusterError } from './cluster-error.js';

/** How many parts of an index an answer is made of. @see https://docs.opensearch.org/latest/api-reference/search-apis/search/#response-body */
interface ShardCounts {
  readonly total: number;
  readonly failed: number;
}

export interface ShardAnswer {
  readonly _shards: ShardCounts;
}

/** Refuses the answer of a part of an index, which has the form of one of the whole. @throws {ClusterError} `busy` */
export function requireAllShards({ _shards: { total, failed } }: ShardAnswer): void {
  if (failed > 0) throw new ClusterError('busy', `OpenSearch has answered without ${failed} of ${total} shards`);
}
