import type { OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { pino } from 'pino';
import { STATUSES } from '../../src/content-types/definition/content-type.js';
import { openDataSource } from '../../src/database/schema/data-source.js';
import { dialectFor } from '../../src/database/dialect/dialect-for.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { Reads } from '../../src/database/statements/reads.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { Writer } from '../../src/database/statements/writer.js';
import { SilentMetrics } from '../../src/common/metrics/silent-metrics.js';
import { LocalSearchIndex } from '../../src/search/local/local-search-index.js';
import { Cluster } from '../../src/search/opensearch/cluster/cluster.js';
import { DatabaseIdentity } from '../../src/search/opensearch/database-identity.js';
import { feedOf } from '../../src/search/opensearch/feed-of.js';
import type { IndexFeed } from '../../src/search/opensearch/index-feed.js';
import { OpenSearchIndex } from '../../src/search/opensearch/open-search-index.js';
import { searchIndexFor } from '../../src/search/search-index-for.js';
import type { SearchDocument, SearchIndex, SearchRequest } from '../../src/search/search-index.js';
import { indexText } from '../../src/search/text/analysis/analyzer.js';
import { parseQuery } from '../../src/search/text/queries/query.js';
import type { OpenSearchDouble } from './opensearch/opensearch-double.js';
import type { TestDatabase } from './test-database.js';

/** The search index as one process has it. */
export interface OpenSearch {
  readonly index: SearchIndex;
  readonly units: UnitOfWork;
  readonly reads: Reads;
  /** As which database this one is fed from. */
  readonly identity: DatabaseIdentity;
  /** What the log says. */
  readonly logged: readonly string[];
  /** What feeds OpenSearch, where it is searched. */
  readonly feed: IndexFeed | null;
  /** A feed that has as little in memory as that of a process which has just started. */
  freshFeed(): IndexFeed | null;
  /** Has all that was written found, where that takes a while otherwise. */
  settle(): Promise<void>;
  put(...documents: SearchDocument[]): Promise<void>;
  remove(...ids: number[]): Promise<void>;
  /** What is found of type 1. */
  find(q: string, page?: Partial<Omit<SearchRequest, 'query'>>): ReturnType<SearchIndex['search']>;
  close(): Promise<void>;
}

interface Options {
  /** For a file of the process that answers searches of a server; without one the server does. */
  readonly folder?: string | null;
  /** Answers searches of a server in the place of OpenSearch. */
  readonly double?: OpenSearchDouble | null;
  /** What rows are read through. */
  readonly readsOf?: (reader: DataSource) => Reads;
  /** Whether the file follows the database by itself. */
  readonly isStarted?: boolean;
}

export async function openSearch(
  { address }: TestDatabase,
  { folder = null, double = null, readsOf = (reader) => new Reads(reader), isStarted = true }: Options = {},
): Promise<OpenSearch> {
  const writer = await Writer.open(dialectFor(address));
  await migrate(writer);
  const units = new UnitOfWork(writer);
  const reader = await openDataSource(writer.dialect.readerOptions());
  const reads = readsOf(reader);
  const logged: string[] = [];
  const log = pino({}, { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) });
  const { dialect } = writer;
  const metrics = new SilentMetrics();
  const cluster = double ? clusterOf(double) : null;
  const identity = new DatabaseIdentity(reads, units, dialect.insertOrIgnore);
  const index = searchIndexFor({ dialect, reads, unitOfWork: units, folder, cluster, identity, log, metrics });
  const freshFeed = () => (index instanceof OpenSearchIndex ? feedOf(index, { reads, log, metrics }) : null);
  const feed = freshFeed();
  if (isStarted) started(index);
  return {
    index,
    units,
    reads,
    identity,
    logged,
    feed,
    freshFeed,
    settle: () => fed(feed, double),
    put: (...documents) => units.run((manager) => index.upsert(manager, documents)),
    remove: (...ids) => units.run((manager) => index.remove(manager, ids.map(ofTypeOne))),
    find: (q, page) =>
      index.search({
        query: parseQuery(q),
        within: [{ typeId: 1, statuses: STATUSES }],
        offset: 0,
        limit: 15,
        ...page,
      }),
    close: async () => {
      await stopped(index);
      await reader.destroy();
      await writer.onApplicationShutdown();
    },
  };
}

/** Waits until searches are answered from the local file. */
export async function localIsReady({ index }: Pick<OpenSearch, 'index'>): Promise<void> {
  if (!(index instanceof LocalSearchIndex)) throw new Error('There is no local index.');
  while (!index.isReady) await sleep(20);
}

function started(index: SearchIndex): void {
  if (index instanceof LocalSearchIndex) index.start();
}

async function stopped(index: SearchIndex & Partial<OnModuleDestroy>): Promise<void> {
  await index.onModuleDestroy?.();
}

/** The double as a process speaks to it. */
function clusterOf({ url }: OpenSearchDouble): Cluster {
  return new Cluster({ origin: new URL(url).origin, user: null, alias: 'cms', ca: null });
}

/** Has OpenSearch find all that is committed. */
async function fed(feed: IndexFeed | null, double: OpenSearchDouble | null): Promise<void> {
  if (!feed || !double) return;
  const { signal } = new AbortController();
  do await feed.work(signal);
  while (!double.indexes.isAlias('cms'));
  double.refresh();
}

/** A published document of type 1. */
export function aDocument(id: number, body: string, parts: Partial<SearchDocument> = {}): SearchDocument {
  const title = indexText('untitled');
  return { id, typeId: 1, status: 'published', sortAt: id, title, terms: '', body: indexText(body), ...parts };
}

function ofTypeOne(id: number): { id: number; typeId: number } {
  return { id, typeId: 1 };
}
