import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ownTurn } from '../../common/concurrency/own-turn.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { isSameJson } from '../../common/schema/same-json.js';
import { noteWritten } from '../../content-types/changes/type-watches.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { Dialect, type Condition } from '../../database/dialect/dialect.js';
import { Reads, selectIds, type Reader, selectNumber } from '../../database/statements/reads.js';
import { execute, placeholders, type SqlValue } from '../../database/statements/statement.js';
import { RECORD_ROWS } from '../../records/rows/record-portions.js';
import type { RecordRow } from '../../records/rows/record-row.js';
import type { Authorship } from '../../records/rows/actors.js';
import { excessOf, requireSize, stateOf, type RecordState } from '../../records/writing/record-state.js';
import { holdRecord, LostRaceError, type Attempt } from '../../records/writing/record-writer.js';
import { changedParts, isConflict, liveParts, NO_CHANGES, type Overlay, type Parts } from './overlay.js';
import { outlookOf } from './outlook.js';
import {
  COPY_COLUMNS,
  copyOf,
  readCopy,
  SHORT_COLUMNS,
  type CopiedRecord,
  type CopyColumns,
  type WorkingCopy,
} from './working-copy.js';

/** Bytes of what is to be, and of what it is based on: what a column takes. */
const MAX_BYTES = 16 * 1_048_576 - 1;

/** Bytes up to which several working copies are read with one statement. */
const SHORT_BYTES = 65_536;

/** The next state of a working copy. */
interface Save extends CopiedRecord {
  readonly overlay: Overlay;
  readonly authorship: Authorship;
}

/** A working copy and whose it is; what of it was left unread, since it is long, is null. */
type OwnedColumns<Text = string | null> = Omit<CopyColumns, keyof Overlay> &
  Readonly<Record<keyof Overlay, Text>> & { readonly record_id: number | string };

/** An overlay as JSON. */
type OverlayTexts = Readonly<Record<keyof Overlay, string>>;

const NO_TEXTS: OverlayTexts = { changes: '', bases: '' };

/** The change of a working copy, and the copy that results; `null`: none. */
export interface CopyPlan extends CopiedRecord {
  readonly next: WorkingCopy | null;
  readonly texts: OverlayTexts;
  readonly unchanged?: SavedCopy;
}

/** A working copy that was saved. */
export interface SavedCopy extends CopiedRecord {
  /** The type that the body was checked against. */
  readonly type: CompiledType;
  readonly isNew: boolean;
}

/** The working copies that are asked for, and the part of them. */
interface WantedCopies {
  readonly typeIds: readonly number[];
  /** `null`: of all records. */
  readonly recordIds: readonly number[] | null;
  /** An id of `actors`, who has begun it or saved it last; `null`: any. */
  readonly author: number | null;
  readonly offset: number;
  readonly limit: number;
}

/** The rows of working copies. */
@Injectable()
export class CopyStore {
  /** The last version that this process has given. */
  private latest = 0;

  constructor(
    private readonly reads: Reads,
    private readonly dialect: Dialect,
  ) {}

  /**
   * The working copy of a record; `null`: it has none.
   *
   * @param damaged `emptied`: one that cannot be read changes nothing
   * @throws {DomainError} `record_damaged`: it cannot be read
   */
  async find(recordId: number, damaged: 'refused' | 'emptied' = 'refused'): Promise<WorkingCopy | null> {
    const sql = `SELECT ${COPY_COLUMNS} FROM record_drafts WHERE record_id = ?`;
    const [found] = await this.reads.select<CopyColumns>(sql, [recordId]);
    if (!found) return null;
    return damaged === 'emptied' ? readCopy(found, NO_CHANGES) : copyOf(found);
  }

  /**
   * Working copies by the ids of their records, without those that cannot be read: short ones together, then each long
   * one by itself.
   */
  async *portions(
    recordIds: readonly number[],
    reader: Reader = this.reads,
  ): AsyncGenerator<ReadonlyMap<number, WorkingCopy>> {
    if (recordIds.length === 0) return;
    const rows = await reader.select<OwnedColumns>(
      `SELECT record_id, ${SHORT_COLUMNS}, ${ifShort('changes')}, ${ifShort('bases')}
         FROM record_drafts WHERE record_id IN (${placeholders(recordIds)})`,
      recordIds,
    );
    const [short, long] = [rows.filter(hasTexts), rows.filter((row) => !hasTexts(row))];
    yield readable(short);
    for (const { record_id: id } of long) {
      await ownTurn();
      const sql = `SELECT record_id, ${COPY_COLUMNS} FROM record_drafts WHERE record_id = ?`;
      yield readable(await reader.select<OwnedColumns<string>>(sql, [id]));
    }
  }

  /** The records of some working copies, those that were saved last first, without those in the trash. */
  async page(wanted: WantedCopies): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
    const { sql, values } = conditionOf(wanted);
    const total = await selectNumber(this.reads, `SELECT COUNT(*) AS n FROM record_drafts d WHERE ${sql}`, values);
    const page = `SELECT d.record_id AS id FROM record_drafts d WHERE ${sql}
      ORDER BY d.updated_at DESC, d.record_id DESC LIMIT ? OFFSET ?`;
    return { ids: await selectIds(this.reads, page, [...values, wanted.limit, wanted.offset]), total };
  }

  /**
   * Plans to keep an overlay as the working copy that follows the one that was read; without changes there is none.
   *
   * @throws {DomainError} `payload_too_large`
   */
  plan(type: CompiledType, save: Save): CopyPlan {
    const { row, copy, overlay } = save;
    if (isSameJson(overlay, copy?.overlay ?? NO_CHANGES)) {
      return { row, copy, next: copy, texts: NO_TEXTS, unchanged: { type, row, copy, isNew: false } };
    }
    if (Object.keys(overlay.changes).length > 0) {
      requireFitting(type, save);
      const texts = { changes: textOf(overlay.changes), bases: textOf(overlay.bases) };
      return { row, copy, next: this.following(save), texts };
    }
    const none = { row, copy, next: null, texts: NO_TEXTS };
    return copy === null ? { ...none, unchanged: { type, row, copy, isNew: false } } : none;
  }

  /** @throws {LostRaceError} the copy is another one by now, or the record is gone */
  async write({ manager, type, plan }: Attempt<CopyPlan>): Promise<SavedCopy> {
    const { row, copy, next, texts } = plan;
    if (next !== null) await noteWritten(manager, type, [row.id]);
    if (copy !== null && next !== null) await update(manager, row, copy, next, texts);
    else if (next !== null) await this.insert(manager, row, next, texts);
    else if (copy !== null) await deleteCopy(manager, row.id, copy.version);
    return { type, row, copy: next, isNew: copy === null };
  }

  private following({ row, copy, overlay, authorship: { actor, at } }: Save): WorkingCopy {
    const isBasedOnRow = !changedParts(overlay, liveParts(stateOf(row))).some(isConflict);
    this.latest = Math.max(at, this.latest + 1, (copy?.version ?? 0) + 1);
    const begun = copy ?? { baseVersion: row.version, createdBy: actor, createdAt: at };
    return {
      version: this.latest,
      baseVersion: isBasedOnRow ? row.version : begun.baseVersion,
      overlay,
      createdBy: begun.createdBy,
      createdAt: begun.createdAt,
      updatedBy: actor,
      updatedAt: at,
    };
  }

  private async insert(
    manager: EntityManager,
    row: RecordRow,
    next: WorkingCopy,
    { changes, bases }: OverlayTexts,
  ): Promise<void> {
    // It must not be removed for good before its copy is there to be removed with it.
    if (!(await holdRecord(manager, this.dialect, row.id))) throw new LostRaceError();
    await execute(
      manager,
      `INSERT INTO record_drafts
         (record_id, type_id, version, base_version, changes, bases, created_by, updated_by, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        ...[row.id, row.type_id, next.version, next.baseVersion, changes, bases],
        ...[next.createdBy, next.updatedBy, next.createdAt, next.updatedAt],
      ],
    );
  }
}

/** Deletes a working copy in the unit of work that uses it up. @throws {LostRaceError} it is another one by now */
export async function deleteCopy(manager: EntityManager, recordId: number, version: number): Promise<void> {
  const sql = 'DELETE FROM record_drafts WHERE record_id = ? AND version = ?';
  const { affected } = await execute(manager, sql, [recordId, version]);
  if (affected === 0) throw new LostRaceError();
}

function ifShort(column: keyof Overlay): string {
  return `CASE WHEN OCTET_LENGTH(changes) + OCTET_LENGTH(bases) <= ${SHORT_BYTES} THEN ${column} END AS ${column}`;
}

function hasTexts(row: OwnedColumns): row is OwnedColumns<string> {
  return row.changes !== null;
}

/** Working copies by the ids of their records; those that cannot be read are left out. */
function readable(rows: readonly OwnedColumns<string>[]): ReadonlyMap<number, WorkingCopy> {
  const copies = rows.map((row) => [Number(row.record_id), readCopy(row)] as const);
  return new Map(copies.flatMap(([id, copy]) => (copy === null ? [] : [[id, copy]])));
}

/**
 * A copy that is too large since its record has grown may be saved as long as it does not grow itself.
 *
 * @throws {DomainError} `payload_too_large`
 */
function requireFitting(type: CompiledType, { row, copy, overlay }: Save): void {
  const resulting = (changes: Overlay): RecordState => stateOf(outlookOf(type, row, changes).row);
  const next = resulting(overlay);
  const excess = excessOf(type, next, stateOf(row));
  if (excess === null) return;
  if (copy === null) throw excess;
  requireSize(type, next, resulting(copy.overlay));
}

/** The condition on rows of `record_drafts`, which are called `d`. */
function conditionOf({ typeIds, recordIds, author }: WantedCopies): Condition {
  const parts = [
    idsAmong('d.type_id', typeIds),
    ...(recordIds === null ? [] : [idsAmong('d.record_id', recordIds)]),
    ...(author === null ? [] : [{ sql: '(d.created_by = ? OR d.updated_by = ?)', values: [author, author] }]),
    { sql: `EXISTS (SELECT 1 FROM ${RECORD_ROWS} WHERE r.id = d.record_id AND r.trashed_at = 0)`, values: [] },
  ];
  return { sql: parts.map(({ sql }) => sql).join(' AND '), values: parts.flatMap(({ values }) => values) };
}

function idsAmong(column: string, ids: readonly number[]): Condition {
  return ids.length === 0 ? { sql: '1 = 0', values: [] } : { sql: `${column} IN (${placeholders(ids)})`, values: ids };
}

/** Ids of records that are gone and have left working copies. */
export function copiesWithoutRecord(reader: Reader): Promise<number[]> {
  const sql = `SELECT d.record_id AS id FROM record_drafts d
    WHERE NOT EXISTS (SELECT 1 FROM ${RECORD_ROWS} WHERE r.id = d.record_id) ORDER BY d.record_id`;
  return selectIds(reader, sql);
}

/** The values of the record before are written only if they have changed: they are long, and mostly stay. */
async function update(
  manager: EntityManager,
  { id }: RecordRow,
  before: WorkingCopy,
  next: WorkingCopy,
  { changes, bases }: OverlayTexts,
): Promise<void> {
  const isSame = bases === JSON.stringify(before.overlay.bases);
  const [set, values]: [string, SqlValue[]] = isSame ? ['', []] : ['bases = ?, ', [bases]];
  const { affected } = await execute(
    manager,
    `UPDATE record_drafts SET ${set}version = ?, base_version = ?, changes = ?, updated_by = ?, updated_at = ?
      WHERE record_id = ? AND version = ?`,
    [...values, next.version, next.baseVersion, changes, next.updatedBy, next.updatedAt, id, before.version],
  );
  if (affected === 0) throw new LostRaceError();
}

function textOf(parts: Parts): string {
  const text = JSON.stringify(parts);
  if (3 * text.length <= MAX_BYTES || Buffer.byteLength(text) <= MAX_BYTES) return text;
  throw new DomainError(
    'payload_too_large',
    `A working copy, and what it is based on, have at most ${MAX_BYTES} bytes as JSON. Publish it, or discard a part of it.`,
  );
}
