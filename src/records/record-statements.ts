import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError, ValidationError } from '../common/errors/domain-error.js';
import { fold, head } from '../common/fold.js';
import type { CompiledType, Status } from '../content-types/content-type.js';
import { indexRows, needsIndex } from '../content-types/field-index.js';
import { isUniqueViolation } from '../database/database-error.js';
import { execute } from '../database/statement.js';
import { insertFieldRows, type FieldRow } from './field-rows.js';
import { RecordCounts } from './record-counts.js';
import type { FieldValues, RecordRow } from './record-row.js';

/** What a write may set. */
export interface RecordState {
  readonly title: string;
  readonly slug: string;
  readonly locale: string;
  readonly status: Status;
  readonly publishedAt: number | null;
  readonly body: string | null;
  readonly values: FieldValues;
}

/** Who writes, and when. */
export interface Stamp {
  readonly actor: number;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
}

const TITLE_KEY_LENGTH = 64;

/** The statements that write records. All of them run inside a unit of work. */
@Injectable()
export class RecordStatements {
  constructor(private readonly counts: RecordCounts) {}

  /** @throws {DomainError} `slug_taken`; {ValidationError} a value of a unique field is taken */
  async insert(manager: EntityManager, type: CompiledType, state: RecordState, { actor, at }: Stamp): Promise<number> {
    const { insertId } = await orSlugTaken(type, state, () =>
      execute(
        manager,
        `INSERT INTO records (type_id, locale, slug, title, title_key, status, version, created_by, updated_by, created_at, updated_at, published_at, trashed_at)
         VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, 0)`,
        [
          type.id,
          state.locale,
          state.slug,
          state.title,
          titleKey(state),
          state.status,
          actor,
          actor,
          at,
          at,
          state.publishedAt,
        ],
      ),
    );
    await execute(manager, 'INSERT INTO record_contents (record_id, body, data) VALUES (?, ?, ?)', [
      insertId,
      state.body,
      JSON.stringify(state.values),
    ]);
    await this.insertFields(manager, type, { id: insertId, values: state.values, createdAt: at });
    await this.counts.add(manager, type.id, state.status, 1);
    return insertId;
  }

  /**
   * Writes the next version of a record, if it is still at the version that `row` has.
   *
   * @returns whether it was
   */
  async update(
    manager: EntityManager,
    type: CompiledType,
    row: RecordRow,
    state: RecordState,
    { actor, at }: Stamp,
  ): Promise<boolean> {
    const { affected } = await orSlugTaken(type, state, () =>
      execute(
        manager,
        `UPDATE records SET locale = ?, slug = ?, title = ?, title_key = ?, status = ?, published_at = ?, updated_by = ?, updated_at = ?, version = version + 1
          WHERE id = ? AND version = ? AND trashed_at = 0`,
        [
          state.locale,
          state.slug,
          state.title,
          titleKey(state),
          state.status,
          state.publishedAt,
          actor,
          at,
          row.id,
          row.version,
        ],
      ),
    );
    if (affected === 0) return false;
    await this.updateContents(manager, type, row, state);
    if (row.status !== state.status) {
      await this.counts.add(manager, type.id, row.status, -1);
      await this.counts.add(manager, type.id, state.status, 1);
    }
    return true;
  }

  /** Puts a record into the trash: invisible, its slug and its unique values free. Returns whether it was still at that version. */
  async trash(manager: EntityManager, row: RecordRow, { actor, at }: Stamp): Promise<boolean> {
    const { affected } = await execute(
      manager,
      `UPDATE records SET trashed_at = ?, slug = NULL, updated_by = ?, updated_at = ?, version = version + 1
        WHERE id = ? AND version = ? AND trashed_at = 0`,
      [at, actor, at, row.id, row.version],
    );
    if (affected === 0) return false;
    await execute(manager, 'UPDATE record_contents SET trashed_slug = ? WHERE record_id = ?', [row.slug, row.id]);
    await execute(manager, 'DELETE FROM record_fields WHERE record_id = ?', [row.id]);
    await this.counts.add(manager, row.type_id, row.status, -1);
    return true;
  }

  /** Takes a record out of the trash, under a slug that is free. Returns whether it was still there at that version. */
  async restore(
    manager: EntityManager,
    type: CompiledType,
    row: RecordRow,
    state: RecordState,
    { actor, at }: Stamp,
  ): Promise<boolean> {
    const { affected } = await orSlugTaken(type, state, () =>
      execute(
        manager,
        `UPDATE records SET trashed_at = 0, slug = ?, updated_by = ?, updated_at = ?, version = version + 1
          WHERE id = ? AND version = ? AND trashed_at > 0`,
        [state.slug, actor, at, row.id, row.version],
      ),
    );
    if (affected === 0) return false;
    await execute(manager, 'UPDATE record_contents SET trashed_slug = NULL WHERE record_id = ?', [row.id]);
    await this.insertFields(manager, type, { id: row.id, values: state.values, createdAt: row.created_at });
    await this.counts.add(manager, type.id, row.status, 1);
    return true;
  }

  /** Removes a record for good. Returns whether it was still at that version. */
  async remove(manager: EntityManager, row: RecordRow): Promise<boolean> {
    const { affected } = await execute(manager, 'DELETE FROM records WHERE id = ? AND version = ?', [
      row.id,
      row.version,
    ]);
    if (affected === 0) return false;
    await execute(manager, 'DELETE FROM record_contents WHERE record_id = ?', [row.id]);
    await execute(manager, 'DELETE FROM record_fields WHERE record_id = ?', [row.id]);
    if (row.trashed_at === 0) await this.counts.add(manager, row.type_id, row.status, -1);
    return true;
  }

  private async updateContents(
    manager: EntityManager,
    type: CompiledType,
    row: RecordRow,
    state: RecordState,
  ): Promise<void> {
    const data = JSON.stringify(state.values);
    if (state.body === row.body && data === row.data) return;
    await execute(manager, 'UPDATE record_contents SET body = ?, data = ? WHERE record_id = ?', [
      state.body,
      data,
      row.id,
    ]);
    if (data === row.data || !type.fields.some(needsIndex)) return;
    await execute(manager, 'DELETE FROM record_fields WHERE record_id = ?', [row.id]);
    await this.insertFields(manager, type, { id: row.id, values: state.values, createdAt: row.created_at });
  }

  private async insertFields(
    manager: EntityManager,
    { fields }: CompiledType,
    { id, values, createdAt }: { id: number; values: FieldValues; createdAt: number },
  ): Promise<void> {
    const rows: FieldRow[] = fields
      .filter(needsIndex)
      .flatMap((field) =>
        indexRows(field, values[field.id] ?? null).map(({ pos, num, str, uniqueKey }) => [
          id,
          field.key,
          pos,
          num,
          str,
          uniqueKey,
          createdAt,
        ]),
      );
    try {
      await insertFieldRows(manager, rows);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw valueTaken(
        fields.filter(({ unique }) => unique).map(({ name }) => name),
        error,
      );
    }
  }
}

function titleKey({ title }: RecordState): string {
  return head(fold(title), TITLE_KEY_LENGTH);
}

async function orSlugTaken<Result>(
  { name }: CompiledType,
  { slug }: RecordState,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw new DomainError('slug_taken', `Another ${name} has the slug "${slug}". Choose another one.`, { cause });
  }
}

/** The index does not say which of several unique fields it was. */
function valueTaken(names: readonly string[], cause: unknown): ValidationError {
  const error = new ValidationError(
    names.map((field) => ({ field, rule: 'unique', message: `Another record has this ${field}.` })),
  );
  error.cause = cause;
  return error;
}
