import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ownTurn } from '../../common/concurrency/own-turn.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { Dialect, type Condition } from '../../database/dialect/dialect.js';
import { Reads, type Reader } from '../../database/statements/reads.js';
import { execute, placeholders, type SqlValue } from '../../database/statements/statement.js';
import { RECORD_ROWS } from '../../records/rows/record-portions.js';
import type { RecordRow } from '../../records/rows/record-row.js';
import type { Authorship } from '../../records/writing/authorships.js';
import { stateOf } from '../../records/writing/record-state.js';
import { holdRecord, LostRaceError, RecordWriter } from '../../records/writing/record-writer.js';
import { changedParts, isConflict, type Overlay, type Parts } from './overlay.js';
import { liveParts } from './record-parts.js';
import {
  COPY_COLUMNS,
  copyOf,
  readCopy,
  HEAD_COLUMNS,
  headOf,
  type CopiedRecord,
  type CopyColumns,
  type CopyHead,
  type HeadColumns,
  type WorkingCopy,
} from './working-copy.js';

/** Bytes of what is to be, and of what it is based on: what a column takes. */
const MAX_BYTES = 16 * 1_048_576 - 1;

/** Bytes up to which several working copies are read with one statement. */
const SHORT_BYTES = 65_536;

/** What is to become of a working copy. */
interface Save extends CopiedRecord {
  /** With a change at least. */
  readonly overlay: Overlay;
  readonly authorship: Authorship;
}

/** A working copy and whose it is; what of it was left unread, since it is long, is null. */
type OwnedColumns<Text = string | null> = Omit<CopyColumns, keyof Overlay> &
  Readonly<Record<keyof Overlay, Text>> & { readonly record_id: number | string };

/** An overlay as JSON. */
type OverlayTexts = Readonly<Record<keyof Overlay, string>>;

/** Which working copies are asked for, and which part of them. */
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
    private readonly writer: RecordWriter,
    private readonly dialect: Dialect,
  ) {}

  /**
   * The working copy of a record; `null`: it has none.
   *
   * @throws {DomainError} `record_damaged`: it cannot be read
   */
  async find(recordId: number): Promise<WorkingCopy | null> {
    const sql = `SELECT ${COPY_COLUMNS} FROM record_drafts WHERE record_id = ?`;
    const [found] = await this.reads.select<CopyColumns>(sql, [recordId]);
    return found ? copyOf(found) : null;
  }

  /**
   * Working copies by the ids of their records, without those that cannot be read: short ones together, then each long
   * one by itself.
   */
  async *portions(recordIds: readonly number[]): AsyncGenerator<ReadonlyMap<number, WorkingCopy>> {
    if (recordIds.length === 0) return;
    const rows = await this.reads.select<OwnedColumns>(
      `SELECT record_id, ${HEAD_COLUMNS}, base_version, ${ifShort('changes')}, ${ifShort('bases')}
         FROM record_drafts WHERE record_id IN (${placeholders(recordIds)})`,
      recordIds,
    );
    const [short, long] = [rows.filter(hasTexts), rows.filter((row) => !hasTexts(row))];
    yield readable(short);
    for (const { record_id: id } of long) {
      await ownTurn();
      const sql = `SELECT record_id, ${COPY_COLUMNS} FROM record_drafts WHERE record_id = ?`;
      yield readable(await this.reads.select<OwnedColumns<string>>(sql, [id]));
    }
  }

  /** The records of some working copies, those that were saved last first, without those in the trash. */
  async page(wanted: WantedCopies): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
    const { sql, values } = conditionOf(wanted);
    const [counted] = await this.reads.select<Record<'n', number | string>>(
      `SELECT COUNT(*) AS n FROM record_drafts d WHERE ${sql}`,
      values,
    );
    const rows = await this.reads.select<Record<'record_id', number | string>>(
      `SELECT d.record_id FROM record_drafts d WHERE ${sql} ORDER BY d.updated_at DESC, d.record_id DESC LIMIT ? OFFSET ?`,
      [...values, wanted.limit, wanted.offset],
    );
    return { ids: rows.map(({ record_id: id }) => Number(id)), total: Number(counted?.n ?? 0) };
  }

  /** {@link find} without what is long, whether the copy can be read or not. */
  async findHead(recordId: number): Promise<CopyHead | null> {
    const sql = `SELECT ${HEAD_COLUMNS} FROM record_drafts WHERE record_id = ?`;
    const [found] = await this.reads.select<HeadColumns>(sql, [recordId]);
    return found ? headOf(found) : null;
  }

  /**
   * Keeps an overlay as the working copy that follows the one that was read.
   *
   * @throws {LostRaceError} the copy is another one by now, or the record is gone
   * @throws {DomainError} `payload_too_large`
   */
  async save(type: CompiledType, save: Save): Promise<WorkingCopy> {
    const texts = { changes: textOf(save.overlay.changes), bases: textOf(save.overlay.bases) };
    const next = this.following(save);
    await this.writer.unit(type, (manager) =>
      save.copy ? update(manager, save.row, save.copy, next, texts) : this.insert(manager, save.row, next, texts),
    );
    return next;
  }

  /** @throws {LostRaceError} the copy is another one by now */
  delete(type: CompiledType, recordId: number, version: number): Promise<void> {
    return this.writer.unit(type, (manager) => deleteCopy(manager, recordId, version));
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

/**
 * Deletes a working copy in the unit of work that uses it up.
 *
 * @throws {LostRaceError} it is another one by now
 */
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
export async function* copiesWithoutRecord(reader: Reader): AsyncGenerator<number> {
  const rows = await reader.select<Record<'record_id', number | string>>(
    `SELECT d.record_id FROM record_drafts d
      WHERE NOT EXISTS (SELECT 1 FROM ${RECORD_ROWS} WHERE r.id = d.record_id) ORDER BY d.record_id`,
  );
  for (const { record_id: id } of rows) yield Number(id);
}

/** What the record held is written only if it has changed: it is long, and mostly stays. */
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
