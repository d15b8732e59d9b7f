import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TypeUsageHost, type CopiedValues, type CopyUsage } from '../../content-types/store/type-usage.port.js';
import { readerOf, Reads } from '../../database/statements/reads.js';
import { CopyStore } from './copy-store.js';
import { plannedTerms } from './copy-terms.js';
import type { Parts } from './overlay.js';
import { taxonomyOf } from './record-parts.js';

const BATCH = 100;

/** What content types ask about the working copies of their records. */
@Injectable()
export class CopyTypeUsage implements CopyUsage, OnModuleInit {
  constructor(
    private readonly host: TypeUsageHost,
    private readonly reads: Reads,
    private readonly store: CopyStore,
  ) {}

  onModuleInit(): void {
    this.host.useCopies(this);
  }

  async next(typeId: number, after: number): Promise<readonly number[]> {
    const rows = await this.reads.select<Record<'record_id', number | string>>(
      `SELECT record_id FROM record_drafts WHERE type_id = ? AND record_id > ? ORDER BY record_id LIMIT ${BATCH}`,
      [typeId, after],
    );
    return rows.map(({ record_id: id }) => Number(id));
  }

  async *some(ids: readonly number[], manager?: EntityManager): AsyncGenerator<CopiedValues> {
    for await (const copies of this.store.portions(ids, manager && readerOf(manager))) {
      for (const [id, { overlay }] of copies) yield { id, ...contentsOf(overlay.changes) };
    }
  }
}

function contentsOf(changes: Parts): Omit<CopiedValues, 'id'> {
  const terms = Object.entries(changes).flatMap(([key, value]) => {
    const taxonomy = taxonomyOf(key);
    return taxonomy === null ? [] : [[taxonomy, plannedTerms(value)] as const];
  });
  return { values: changes, terms: Object.fromEntries(terms) };
}
