import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Status } from '../../content-types/definition/content-type.js';
import { deleteAll, ROWS_PER_DELETION } from '../../database/statements/deletion.js';
import { Dialect, type Condition } from '../../database/dialect/dialect.js';
import { execute, placeholders, select } from '../../database/statements/statement.js';
import { weightOf } from '../../database/units/unit-pace.js';
import { RecordListeners, type DependentRow, type RemovedRecord, dependentRows } from './record-listeners.js';

/** Their contents are measured together: a server reads all of a long text to know its length. */
const MOST_RECORDS = 100;

/** Above a thousand values MariaDB makes another plan for `IN`. */
const MOST_WITH_FIELD = 900;

interface Row {
  readonly id: number | string;
  readonly type_id: number | string;
  readonly status: Status;
  readonly trashed_at: number | string;
}

interface FieldRow {
  readonly record_id: number | string;
}

/**
 * Removes many records for good, some in each unit of work. How many those are is cut by what goes with them, rows and
 * bytes: one record may have thousands of rows in the side index, and another one a long history.
 */
@Injectable()
export class RecordRemoval {
  constructor(
    private readonly dialect: Dialect,
    private readonly listeners: RecordListeners,
  ) {}

  /** Removes some of the records for which a condition holds. @returns how many; 0: there are none left */
  async removeSome(manager: EntityManager, { sql, values }: Condition): Promise<number> {
    const rows = await select<Row>(
      manager,
      `SELECT id, type_id, status, trashed_at FROM records WHERE ${sql} LIMIT ${MOST_RECORDS}${this.dialect.lockForUpdate}`,
      values,
    );
    const ids = new Set(await this.usableAmong(manager, ascending(rows.map(({ id }) => Number(id)))));
    const gone = rows.map(removedRecord).filter(({ id }) => ids.has(id));
    if (gone.length > 0) await this.remove(manager, gone);
    return gone.length;
  }

  /** Ids of some records that have rows for a field in the side index, as many as may lose them at once; none are left: none. */
  async nextWithField(manager: EntityManager, fieldKey: number): Promise<readonly number[]> {
    const rows = await select<FieldRow>(
      manager,
      `SELECT record_id FROM record_fields WHERE field_id = ? LIMIT ${ROWS_PER_DELETION}`,
      [fieldKey],
    );
    const ids = ascending(rows.map(({ record_id: id }) => Number(id))).slice(0, MOST_WITH_FIELD);
    if (ids.length < 2) return ids;
    const held = await select<FieldRow>(
      manager,
      `SELECT record_id FROM record_fields WHERE record_id IN (${placeholders(ids)}) AND field_id = ?
        ORDER BY record_id LIMIT ${ROWS_PER_DELETION + 1}`,
      [...ids, fieldKey],
    );
    return withinCapacity(
      ids,
      held.map(({ record_id: id }) => ({ recordId: Number(id), bytes: 0 })),
    );
  }

  private async usableAmong(manager: EntityManager, ids: readonly number[]): Promise<readonly number[]> {
    const most = ROWS_PER_DELETION + 1;
    let usable = ids;
    for (const held of [CONTENTS, FIELDS]) {
      if (usable.length > 1) usable = withinCapacity(usable, await dependentRows(manager, held, usable, most));
    }
    if (usable.length > 1) usable = withinCapacity(usable, await this.listeners.dependents(manager, usable, most));
    return usable;
  }

  private async remove(manager: EntityManager, gone: readonly RemovedRecord[]): Promise<void> {
    const values = gone.map(({ id }) => id);
    const these = placeholders(values);
    await deleteAll(manager, this.dialect, { table: 'record_fields', condition: `record_id IN (${these})`, values });
    await execute(manager, `DELETE FROM record_contents WHERE record_id IN (${these})`, values);
    await execute(manager, `DELETE FROM records WHERE id IN (${these})`, values);
    await this.listeners.removed(manager, gone);
  }
}

const CONTENTS = { table: 'record_contents', bytes: 'OCTET_LENGTH(data) + COALESCE(OCTET_LENGTH(body), 0)' };
const FIELDS = { table: 'record_fields', bytes: '0' };

/** Each once. */
function ascending(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}

/** The first records whose rows fit together, one at least. @param ids in ascending order, as the rows are */
function withinCapacity(ids: readonly number[], rows: readonly DependentRow[]): readonly number[] {
  let weight = 0;
  const first = rows.find(({ bytes }) => (weight += weightOf(bytes)) > ROWS_PER_DELETION);
  if (!first) return ids;
  const whole = ids.filter((id) => id < first.recordId);
  return whole.length > 0 ? whole : ids.slice(0, 1);
}

function removedRecord({ id, type_id: typeId, status, trashed_at: trashedAt }: Row): RemovedRecord {
  return { id: Number(id), typeId: Number(typeId), status, wasTrashed: Number(trashedAt) > 0 };
}
