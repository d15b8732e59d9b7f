import type { OnModuleDestroy } from '@nestjs/common';
import { STATUSES } from '../../src/content-types/definition/content-type.js';
import { openDataSource } from '../../src/database/dialect/data-source.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { Reads } from '../../src/database/statements/reads.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { Writer } from '../../src/database/statements/writer.js';
import { searchIndexFor } from '../../src/search/search.module.js';
import type { SearchDocument, SearchIndex, SearchRequest } from '../../src/search/search-index.js';
import { termsOf } from './terms.js';
import { parseQuery } from '../../src/search/text/queries/query.js';
import type { TestDatabase } from './test-database.js';

/** The search index as one process has it. */
export interface OpenSearch {
  readonly index: SearchIndex;
  readonly units: UnitOfWork;
  readonly reads: Reads;
  put(...documents: SearchDocument[]): Promise<void>;
  remove(...ids: number[]): Promise<void>;
  /** What is found of type 1. */
  find(q: string, page?: Partial<Omit<SearchRequest, 'query'>>): ReturnType<SearchIndex['search']>;
  close(): Promise<void>;
}

export async function openSearch({ address }: TestDatabase): Promise<OpenSearch> {
  const writer = await Writer.open(dialectFor(address));
  await migrate(writer);
  const units = new UnitOfWork(writer);
  const reader = await openDataSource(writer.dialect.readerOptions());
  const reads = new Reads(reader);
  const index: SearchIndex & Partial<OnModuleDestroy> = searchIndexFor(writer.dialect, reads, units);
  return {
    index,
    units,
    reads,
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
      await index.onModuleDestroy?.();
      await reader.destroy();
      await writer.onApplicationShutdown();
    },
  };
}

/** A published document of type 1. */
export function aDocument(id: number, body: string, parts: Partial<SearchDocument> = {}): SearchDocument {
  const title = termsOf('untitled');
  return { id, typeId: 1, status: 'published', sortAt: id, title, terms: '', body: termsOf(body), ...parts };
}

function ofTypeOne(id: number): { id: number; typeId: number } {
  return { id, typeId: 1 };
}
