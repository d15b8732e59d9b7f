import { Injectable } from '@nestjs/common';
import type { Status } from '../../content-types/content-type.js';
import { ContentTypes } from '../../content-types/content-types.service.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { execute, placeholders, select } from '../../database/statement.js';
import { RecordListeners } from '../record-listeners.js';

const BATCH = 500;

/** Empties the trash. */
@Injectable()
export class Trash {
  constructor(
    private readonly types: ContentTypes,
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly listeners: RecordListeners,
  ) {}

  /**
   * Removes for good what was put into the trash before an instant.
   *
   * @param before milliseconds since 1970, UTC
   * @returns how many records that were
   */
  async purge(before: number): Promise<number> {
    let removed = 0;
    for (const { id } of await this.types.all()) removed += await this.purgeType(id, before);
    return removed;
  }

  private async purgeType(typeId: number, before: number): Promise<number> {
    let removed = 0;
    for (let batch = BATCH; batch === BATCH; removed += batch) batch = await this.purgeBatch(typeId, before);
    return removed;
  }

  private purgeBatch(typeId: number, before: number): Promise<number> {
    return this.unitOfWork.run(async (manager) => {
      const rows = await select<{ id: number; status: Status }>(
        manager,
        `SELECT id, status FROM records WHERE type_id = ? AND trashed_at > 0 AND trashed_at < ? LIMIT ${BATCH}${this.dialect.lockForUpdate}`,
        [typeId, before],
      );
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      const list = placeholders(ids);
      await execute(manager, `DELETE FROM records WHERE id IN (${list})`, ids);
      await execute(manager, `DELETE FROM record_contents WHERE record_id IN (${list})`, ids);
      await execute(manager, `DELETE FROM record_fields WHERE record_id IN (${list})`, ids);
      const gone = rows.map(({ id, status }) => ({ id, typeId, status, wasTrashed: true }));
      await this.listeners.removed(manager, gone);
      return ids.length;
    });
  }
}
