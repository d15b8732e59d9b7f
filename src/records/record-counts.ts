import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Batch } from '../common/batch.js';
import type { Status } from '../content-types/content-type.js';
import { Counters } from '../database/counters.js';
import { Dialect } from '../database/dialect/dialect.js';
import { Reads } from '../database/reads.js';
import { placeholders } from '../database/statement.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RecordPositions } from './record-positions.js';

/** Records that join those of a status of a type, or leave them. */
export interface CountChange {
  readonly typeId: number;
  readonly status: Status;
  /** When the records were created. Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  /** Ids of the terms that the records hold. */
  readonly terms: readonly number[];
  /** 1 for one that joins, -1 for one that leaves. */
  readonly d: number;
}

interface CountRow {
  readonly type_id: number | string;
  readonly status: string;
  readonly n: number | string;
}

interface TermCountRow extends CountRow {
  readonly term_id: number | string;
}

/** Records that hold a term, by type and status. */
export interface TermCount {
  readonly termId: number;
  readonly typeId: number;
  readonly status: Status;
  readonly n: number;
}

/** How many records there are, and how many of them hold a term, without counting them. */
@Injectable()
export class RecordCounts {
  private readonly records: Counters;
  private readonly terms: Counters;
  /** Lists that are asked for together share a statement. */
  private readonly counts = new Batch<number, ReadonlyMap<string, number>>((typeIds) => this.countsOf(typeIds));

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly positions: RecordPositions,
    dialect: Dialect,
  ) {
    this.records = new Counters(dialect, {
      counters: 'record_counts',
      deltas: 'record_count_deltas',
      keys: ['type_id', 'status'],
    });
    this.terms = new Counters(dialect, {
      counters: 'term_counts',
      deltas: 'term_count_deltas',
      keys: ['term_id', 'type_id', 'status'],
    });
  }

  /** Records of a type that have one of these statuses and are not in the trash. */
  async total(typeId: number, statuses: readonly Status[]): Promise<number> {
    const counts = await this.counts.get(typeId);
    return statuses.reduce((sum, status) => sum + (counts?.get(status) ?? 0), 0);
  }

  /** Records outside the trash that hold one of these terms. */
  async ofTerms(termIds: readonly number[]): Promise<readonly TermCount[]> {
    if (termIds.length === 0) return [];
    const { text, values } = this.terms.parts(`term_id IN (${placeholders(termIds)})`, termIds);
    return (await this.reads.select<TermCountRow>(text, values)).map((row) => ({
      termId: Number(row.term_id),
      typeId: Number(row.type_id),
      status: row.status as Status,
      n: Number(row.n),
    }));
  }

  /** Counts changes that are part of a unit of work. */
  async add(manager: EntityManager, changes: readonly CountChange[]): Promise<void> {
    await this.records.add(
      manager,
      changes.map(({ typeId, status, d }) => ({ key: [typeId, status], d })),
    );
    await this.positions.add(manager, changes);
    await this.terms.add(
      manager,
      changes.flatMap(({ typeId, status, terms, d }) => terms.map((term) => ({ key: [term, typeId, status], d }))),
    );
  }

  /** Folds the oldest appended changes into the counters. Returns how many there were. */
  async fold(): Promise<number> {
    const records = await this.unitOfWork.run((manager) => this.records.fold(manager));
    const terms = await this.unitOfWork.run((manager) => this.terms.fold(manager));
    return records + terms + (await this.unitOfWork.run((manager) => this.positions.fold(manager)));
  }

  /** Forgets a type that is gone. */
  async forget(manager: EntityManager, typeId: number): Promise<void> {
    await this.positions.forget(manager, typeId);
    await this.terms.remove(manager, 'type_id = ?', [typeId]);
    await this.records.remove(manager, 'type_id = ?', [typeId]);
  }

  private async countsOf(typeIds: readonly number[]): Promise<ReadonlyMap<number, ReadonlyMap<string, number>>> {
    const { text, values } = this.records.parts(`type_id IN (${placeholders(typeIds)})`, typeIds);
    const counts = new Map<number, Map<string, number>>();
    for (const { type_id: typeId, status, n } of await this.reads.select<CountRow>(text, values)) {
      const ofType = counts.get(Number(typeId)) ?? new Map<string, number>();
      counts.set(Number(typeId), ofType.set(status, (ofType.get(status) ?? 0) + Number(n)));
    }
    return counts;
  }
}
