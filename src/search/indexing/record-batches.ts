import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { STATUSES, type CompiledType } from '../../content-types/definition/content-type.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { Dialect, type Condition } from '../../database/dialect/dialect.js';
import { readerOf, Reads } from '../../database/statements/reads.js';
import { wholeRow, isUnread, type RecordRow } from '../../records/rows/record-row.js';
import {
  ANY_RECORD,
  countRecordsAfter,
  lastRecordId,
  listedRecords,
  lockRecords,
  recordsHolding,
  recordsOfType,
  spanAfter,
} from '../../records/rows/record-portions.js';
import { isSound } from '../../records/rows/record-cells.js';
import { stateOf } from '../../records/writing/record-state.js';
import type { FoundRecord } from './search-documents.js';
import type { IdRange } from '../search-index.js';
import type { IndexingTask } from './indexing-queue.js';

/** Records that one statement asks whether they hold a term: they may be few of very many. */
const ASKED_AT_ONCE = 2_000;

/** The next records of a task. */
export interface RecordBatch {
  readonly records: readonly FoundRecord[];
  /** The types whose records were looked through, all of them within {@link range}. */
  readonly types: readonly CompiledType[];
  readonly range: IdRange;
  readonly isLast: boolean;
}

/** Reads the records that a task is about, in the order of their ids. */
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
  async lock(manager: EntityManager, task: IndexingTask, endAt: number, most: number): Promise<RecordBatch> {
    const { kind, position } = task;
    const next = kind === 'term' ? await spanAfter(readerOf(manager), position, ASKED_AT_ONCE) : null;
    const end = Math.min(endAt, next?.upTo ?? endAt);
    const span = { after: position, upTo: end };
    const locked = await lockRecords(manager, this.dialect, conditionOf(task), span, most);
    const types = await this.typesOf(manager, task, new Set(locked.map(({ typeId }) => typeId)));
    const ids = locked.map(({ id }) => id);
    const { rows, isCut } = await this.rows(manager, ids);
    const last = isCut ? rows.at(-1)?.id : ids.length < most ? end : ids.at(-1);
    const upTo = last ?? end;
    return {
      records: rows.flatMap((row) => found(row, types)),
      types,
      range: { after: position, upTo },
      isLast: upTo === endAt,
    };
  }

  /** Id of the last record that there is. */
  lastId(): Promise<number> {
    return lastRecordId(this.reads);
  }

  /** Number of records that a task still has to go through. */
  count(task: IndexingTask): Promise<number> {
    return countRecordsAfter(this.reads, conditionOf(task), task.position);
  }

  /** Types of a task: of a term those that its records have; of everything all of them, since a range without records is cleared too. */
  private async typesOf(
    manager: EntityManager,
    { kind, targetId }: IndexingTask,
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
    const listed = await listedRecords(manager, ids);
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
  // No search asks for a status that there is not, and an index may have no place for one.
  return type && STATUSES.includes(row.status) && isSound(row)
    ? [{ id: row.id, type, state: stateOf(row), createdAt: row.created_at }]
    : [];
}

function conditionOf({ kind, targetId }: IndexingTask): Condition {
  return { all: ANY_RECORD, type: recordsOfType(targetId), term: recordsHolding(targetId) }[kind];
}
