import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { ContentTypesService } from '../content-types/store/content-types.service.js';
import { Dialect } from '../database/dialect/dialect.js';
import { readerOf, Reads } from '../database/reads.js';
import { placeholders, select, type SqlValue } from '../database/statement.js';
import { TERMS_KEY } from '../records/rows/field-rows.js';
import { wholeRow } from '../records/rows/long-rows.js';
import {
  ALL_COLUMNS,
  isUnread,
  WITH_SHORT_CONTENTS,
  type ListedRow,
  type RecordRow,
} from '../records/rows/record-row.js';
import { stateOf } from '../records/writing/record-state.js';
import type { FoundRecord } from './search-documents.js';
import type { IdRange } from './search-index.js';
import type { SearchJob } from './search-jobs.js';

/** So many records of a term are listed anew for every batch. */
const FEW = 1_000;
/** Records that one statement asks whether they hold a term. */
const ASKED_AT_ONCE = 2_000;

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
    private readonly types: ContentTypesService,
    private readonly dialect: Dialect,
  ) {}

  /**
   * No other unit writes these records until this one ends, and their types are what they are said to be. There may be none
   * of them although more are to come.
   */
  async lock(manager: EntityManager, job: SearchJob, endAt: number, most: number): Promise<RecordBatch> {
    const { text, values, most: reach } = await this.searched(manager, job);
    const end = Math.min(endAt, job.position + reach);
    const ids = await select<{ id: number | string; type_id: number | string }>(
      manager,
      `SELECT r.id, r.type_id FROM records r WHERE ${text} AND r.id > ? AND r.id <= ? ORDER BY r.id LIMIT ${most}${this.dialect.lockForUpdate}`,
      [...values, job.position, end],
    );
    const types = await this.typesOf(manager, job, new Set(ids.map(({ type_id: typeId }) => Number(typeId))));
    const { rows, isCut } = await this.rows(
      manager,
      ids.map(({ id }) => Number(id)),
    );
    const last = isCut ? rows.at(-1)?.id : ids.length < most ? end : Number(ids.at(-1)?.id);
    const upTo = last ?? end;
    return {
      records: rows.flatMap((row) => found(row, types)),
      types,
      range: { after: job.position, upTo },
      isLast: upTo === endAt,
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

  /**
   * Records of a term that has few are listed. Of one that has many, all records are asked whether they hold it, since
   * its list would have to be sorted for every batch: some at a time, for they may be few of very many.
   */
  private async searched(manager: EntityManager, job: SearchJob): Promise<Condition & { readonly most: number }> {
    if (job.kind !== 'term') return { ...conditionOf(job), most: Infinity };
    const held = await select(
      manager,
      `SELECT record_id FROM record_fields WHERE field_id = ? AND num = ? LIMIT ${FEW + 1}`,
      [TERMS_KEY, job.targetId],
    );
    if (held.length <= FEW) return { ...conditionOf(job), most: Infinity };
    // The sign leaves the primary key alone to find the terms of a record: SQLite would go through all that have the
    // term, for each record. LIMIT keeps the servers from turning this into a join that starts there.
    const text =
      'EXISTS (SELECT 1 FROM record_fields f WHERE f.record_id = r.id AND +f.field_id = ? AND f.num = ? LIMIT 1)';
    return { text, values: [TERMS_KEY, job.targetId], most: ASKED_AT_ONCE };
  }

  /** Of a term those that its records have; of everything all of them, since a range without records is cleared too. */
  private async typesOf(
    manager: EntityManager,
    { kind, targetId }: SearchJob,
    present: ReadonlySet<number>,
  ): Promise<CompiledType[]> {
    const all = await this.types.all();
    const isWanted = {
      all: () => true,
      type: (id: number) => id === targetId,
      term: (id: number) => present.has(id),
    }[kind];
    const types = all.filter(({ id }) => isWanted(id));
    for (const type of types) await this.types.requireCurrent(manager, type);
    return types;
  }

  /** The records up to the first long one, which is a batch of its own: other writes wait while a batch is indexed. */
  private async rows(manager: EntityManager, ids: readonly number[]): Promise<{ rows: RecordRow[]; isCut: boolean }> {
    if (ids.length === 0) return { rows: [], isCut: false };
    const listed = await select<ListedRow>(
      manager,
      `SELECT ${ALL_COLUMNS} FROM records r ${WITH_SHORT_CONTENTS}
        WHERE r.id IN (${placeholders(ids)}) AND r.trashed_at = 0 ORDER BY r.id`,
      ids,
    );
    const rows: RecordRow[] = [];
    for (const row of listed) {
      if (isUnread(row)) break;
      rows.push(row);
    }
    const [first] = listed;
    if (rows.length === 0 && first) {
      const whole = await wholeRow(readerOf(manager), first.id);
      if (whole) rows.push(whole);
    }
    return { rows, isCut: rows.length < listed.length };
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
