import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CompiledType } from '../content-types/content-type.js';
import { ContentTypes } from '../content-types/content-types.service.js';
import { Dialect } from '../database/dialect/dialect.js';
import { Reads } from '../database/reads.js';
import { placeholders, select, type SqlValue } from '../database/statement.js';
import { TERMS_KEY } from '../records/writing/record-index.js';
import { ALL_COLUMNS, WITH_CONTENTS, type RecordRow } from '../records/record-row.js';
import { stateOf } from '../records/writing/record-state.js';
import type { FoundRecord } from './search-documents.js';
import type { IdRange } from './search-index.js';
import type { SearchJob } from './search-jobs.js';

/** The next records of a job. */
export interface RecordBatch {
  readonly records: readonly FoundRecord[];
  /** The types whose records were looked through, all of them within {@link range}. */
  readonly types: readonly CompiledType[];
  readonly range: IdRange;
  readonly isLast: boolean;
}

interface Condition {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Reads the records that a job is about, in the order of their ids. */
@Injectable()
export class RecordBatches {
  constructor(
    private readonly reads: Reads,
    private readonly types: ContentTypes,
    private readonly dialect: Dialect,
  ) {}

  /** Nobody else writes these records until the unit ends, and their types are what they are said to be. */
  async lock(manager: EntityManager, job: SearchJob, endAt: number, most: number): Promise<RecordBatch> {
    const { text, values } = conditionOf(job);
    const ids = await select<{ id: number | string }>(
      manager,
      `SELECT r.id FROM records r WHERE ${text} AND r.id > ? AND r.id <= ? ORDER BY r.id LIMIT ${most}${this.dialect.lockForUpdate}`,
      [...values, job.position, endAt],
    );
    const last = ids.length < most ? endAt : Number(ids.at(-1)?.id);
    const types = await this.typesOf(manager, job);
    const rows = await this.rows(
      manager,
      ids.map(({ id }) => Number(id)),
    );
    return {
      records: rows.flatMap((row) => found(row, types)),
      types,
      range: { after: job.position, upTo: last },
      isLast: last === endAt,
    };
  }

  /** Id of the last record that there is. */
  async lastId(): Promise<number> {
    const [row] = await this.reads.select<{ last: number | string | null }>('SELECT MAX(id) AS last FROM records');
    return Number(row?.last ?? 0);
  }

  /** How many records a job still has to go through. */
  async count(job: SearchJob): Promise<number> {
    const { text, values } = conditionOf(job);
    const [row] = await this.reads.select<{ n: number | string }>(
      `SELECT COUNT(*) AS n FROM records r WHERE ${text} AND r.id > ?`,
      [...values, job.position],
    );
    return Number(row?.n ?? 0);
  }

  /** Of a term the records may be of any type, but then those that do not hold it are left alone. */
  private async typesOf(manager: EntityManager, { kind, targetId }: SearchJob): Promise<CompiledType[]> {
    const all = await this.types.all();
    const types = kind === 'type' ? all.filter(({ id }) => id === targetId) : [...all];
    for (const type of types) await this.types.requireCurrent(manager, type);
    return types;
  }

  private async rows(manager: EntityManager, ids: readonly number[]): Promise<RecordRow[]> {
    if (ids.length === 0) return [];
    return select<RecordRow>(
      manager,
      `SELECT ${ALL_COLUMNS} FROM records r ${WITH_CONTENTS} WHERE r.id IN (${placeholders(ids)}) AND r.trashed_at = 0`,
      ids,
    );
  }
}

function found(row: RecordRow, types: readonly CompiledType[]): FoundRecord[] {
  const type = types.find(({ id }) => id === row.type_id);
  return type ? [{ id: row.id, type, state: stateOf(row), createdAt: row.created_at }] : [];
}

function conditionOf({ kind, targetId }: SearchJob): Condition {
  switch (kind) {
    case 'all':
      return { text: '1 = 1', values: [] };
    case 'type':
      // The sign keeps planners from an index of types, which would have to be sorted by id for every batch.
      return { text: '+r.type_id = ?', values: [targetId] };
    case 'term':
      return {
        text: 'r.id IN (SELECT f.record_id FROM record_fields f WHERE f.field_id = ? AND f.num = ?)',
        values: [TERMS_KEY, targetId],
      };
  }
}
