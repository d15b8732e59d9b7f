import type { OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { CircuitBreaker } from '../../common/concurrency/circuit-breaker.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { single, type Counter, type Labels, type Metrics } from '../../common/metrics/metrics.js';
import type { Reads } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import { byLooking, visible } from '../fulltext/fulltext-conditions.js';
import type { FulltextSearchIndex } from '../fulltext/fulltext-search-index.js';
import type { DerivedIndexReport } from '../../common/derived-indexes.js';
import { DerivedSearchIndex } from '../derived-search-index.js';
import type { SearchHit, SearchRequest, SearchResult } from '../search-index.js';
import type { Cluster } from './cluster/cluster.js';
import { ClusterError } from './cluster/cluster-error.js';
import { requireAllShards, type ShardAnswer } from './cluster/shards.js';
import type { DatabaseIdentity } from './database-identity.js';
import { MOST_REACHED, searchAlias } from './definition.js';
import { Generations } from './generations.js';
import { IndexProgress } from './index-progress.js';
import { searchBody } from './search-body.js';
import { searchUnavailable } from './search-unavailable.js';

/** @see https://docs.opensearch.org/latest/api-reference/search-apis/search/#response-body */
interface SearchAnswer extends ShardAnswer {
  readonly timed_out: boolean;
  readonly hits: {
    readonly total: { readonly value: number };
    readonly hits: readonly { readonly _id: string; readonly sort: readonly [number, ...unknown[]] }[];
  };
}

/** A search that takes longer is 503. */
const WITHIN_MS = 2_000;

export interface OpenSearchSources {
  readonly cluster: Cluster;
  readonly reads: Reads;
  /** Written with the records; OpenSearch is fed from it. */
  readonly database: FulltextSearchIndex;
  readonly identity: DatabaseIdentity;
  /** The time by the clock of the database, as SQL. */
  readonly now: string;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/**
 * Searches in OpenSearch. Documents are written to the database alone, with the records, and fed to OpenSearch a second
 * later. So hits are checked against the database before they are returned.
 */
export class OpenSearchIndex extends DerivedSearchIndex implements OnModuleDestroy {
  private readonly breaker = new CircuitBreaker();
  private readonly unanswered: Counter<Labels>;
  readonly generations: Generations;
  private readonly progress: IndexProgress;

  constructor(private readonly sources: OpenSearchSources) {
    super(sources.database);
    const { cluster, reads, identity, now, metrics } = sources;
    this.generations = new Generations(cluster, identity);
    this.progress = new IndexProgress({ cluster, reader: reads, now, plan: (limits) => this.generations.plan(limits) });
    this.unanswered = metrics.counter({
      name: 'cms_search_unanswered_total',
      help: 'Searches that were refused since OpenSearch did not answer in time.',
      labels: [],
    });
    metrics.gauge({ name: 'cms_search_up', help: 'Whether OpenSearch is asked at present.', labels: [] }, () =>
      single(this.breaker.isOn ? 0 : 1),
    );
  }

  get cluster(): Cluster {
    return this.sources.cluster;
  }

  async onModuleDestroy(): Promise<void> {
    await this.sources.cluster.close();
  }

  /** @throws {DomainError} `search_unavailable`, `invalid_query` */
  async search(request: SearchRequest): Promise<SearchResult> {
    const { query, within, offset, limit } = request;
    if (query.isEmpty || within.length === 0) return { total: 0, hits: [] };
    if (offset + limit > MOST_REACHED) throw tooFar();
    const { hits } = await this.ask(request);
    const found = hits.hits.map(({ _id: id, sort: [score] }) => ({ id: Number(id), score }));
    const shown = await this.stillThere(found, request);
    return { total: hits.total.value - (found.length - shown.length), hits: shown };
  }

  report(): Promise<DerivedIndexReport> {
    return this.progress.report();
  }

  /** Writes a change whose number and time no other database has. */
  noteNothing(): Promise<void> {
    return this.database.noteNothing();
  }

  private async ask(request: SearchRequest): Promise<SearchAnswer> {
    const { cluster, identity, log } = this.sources;
    if (this.breaker.isOn) throw this.refused();
    const alias = searchAlias(cluster.alias, await identity.read());
    try {
      const answer = await cluster.ask<SearchAnswer>({
        method: 'POST',
        path: `/${alias}/_search`,
        // Partial hits could not be distinguished from all of them.
        query: { allow_partial_search_results: false, cancel_after_time_interval: `${WITHIN_MS}ms` },
        body: searchBody(request),
        within: WITHIN_MS,
      });
      if (answer.timed_out) throw new ClusterError('late', 'OpenSearch has given up a search');
      requireAllShards(answer);
      if (this.breaker.succeeded()) log.info('OpenSearch answers searches again');
      return answer;
    } catch (error) {
      throw error instanceof ClusterError ? await this.noted(error) : error;
    }
  }

  /** The error of a failed search. A request that OpenSearch refuses says nothing of its state. */
  private async noted(failure: ClusterError): Promise<Error> {
    if (failure.kind === 'refused') return failure;
    if (failure.kind === 'missing') return this.refused(failure, await this.progress.report());
    if (this.breaker.failed())
      this.sources.log.warn({ reason: failure.message }, 'OpenSearch does not answer searches: they are 503 meanwhile');
    return this.refused(failure);
  }

  private refused(failure?: ClusterError, report?: DerivedIndexReport): DomainError {
    this.unanswered.add({});
    return searchUnavailable(failure, report);
  }

  /** Hits that by what is committed are still visible and still match the query. */
  private async stillThere(
    hits: readonly SearchHit[],
    { query, within }: SearchRequest,
  ): Promise<readonly SearchHit[]> {
    if (hits.length === 0) return hits;
    const ids = hits.map(({ id }) => id);
    const [scope, condition] = [visible(within), byLooking(query)];
    const rows = await this.sources.reads.select<{ id: number | string }>(
      `SELECT record_id AS id FROM search_documents
        WHERE record_id IN (${placeholders(ids)}) AND ${scope.text} AND ${condition.text}`,
      [...ids, ...scope.values, ...condition.values],
    );
    const there = new Set(rows.map(({ id }) => Number(id)));
    return hits.filter(({ id }) => there.has(id));
  }
}

function tooFar(): DomainError {
  return new DomainError('invalid_query', `Pages of a search end at hit ${MOST_REACHED}. Search for more words.`, {
    details: [{ field: 'page', rule: 'max', message: `The page must end at hit ${MOST_REACHED} or before.` }],
  });
}
