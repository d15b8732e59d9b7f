import { Injectable } from '@nestjs/common';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { RecordListeners } from './record-listeners.js';
import { RecordRemoval } from './record-removal.js';

/** Empties the trash. */
@Injectable()
export class Trash {
  private readonly removal: RecordRemoval;

  constructor(
    private readonly types: ContentTypesService,
    private readonly unitOfWork: UnitOfWork,
    dialect: Dialect,
    listeners: RecordListeners,
  ) {
    this.removal = new RecordRemoval(dialect, listeners);
  }

  /**
   * Removes for good what was put into the trash before an instant.
   *
   * @param before milliseconds since 1970, UTC
   * @param signal begins no further batch once it is aborted
   * @returns how many records that were
   */
  async purge(before: number, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    for (const { id } of await this.types.all()) removed += await this.purgeType(id, before, signal);
    return removed;
  }

  private async purgeType(typeId: number, before: number, signal?: AbortSignal): Promise<number> {
    const condition = { sql: 'type_id = ? AND trashed_at > 0 AND trashed_at < ?', values: [typeId, before] };
    let removed = 0;
    for (let batch = 1; batch > 0 && signal?.aborted !== true; removed += batch) {
      batch = await this.unitOfWork.run((manager) => this.removal.removeSome(manager, condition));
    }
    return removed;
  }
}
