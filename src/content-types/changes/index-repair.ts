import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { needsIndex } from '../definition/field-index.js';
import { TypeStore } from '../store/type-store.js';
import { TypeUsageHost, type Position } from '../store/type-usage.port.js';

/**
 * Completes the side index of fields that were added by an earlier release: it gave no rows to the records that were
 * there, and lists sorted by the field lack them. Some records at a time, so that writers wait for no more than these.
 */
@Injectable()
export class IndexRepair {
  private isStopping = false;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: TypeStore,
    private readonly host: TypeUsageHost,
  ) {}

  /** Lets no further batch begin. What is left is done after the next start. */
  stop(): void {
    this.isStopping = true;
  }

  async run(): Promise<void> {
    const fields = await this.unitOfWork.run((manager) => this.store.fields.incomplete(manager));
    for (const { typeId, fieldKey } of fields) await this.complete(typeId, fieldKey);
  }

  private async complete(typeId: number, fieldKey: number): Promise<void> {
    let last: Position | null = null;
    do last = await this.fillAfter(typeId, fieldKey, last);
    while (last && !this.isStopping);
  }

  /** Answers with the position of the last record of the batch; `null`: there are no more, or the field needs no rows. */
  private fillAfter(typeId: number, fieldKey: number, last: Position | null): Promise<Position | null> {
    return this.unitOfWork.run(async (manager) => {
      const type = await this.store.share(manager, typeId);
      const field = type?.fields.find(({ key }) => key === fieldKey);
      // An index that is being built is completed by its builder.
      if (!field || field.building === true) return null;
      const next = needsIndex(field) ? await this.host.get().fillIndexGaps(manager, typeId, fieldKey, last) : null;
      if (!next) await this.store.fields.markComplete(manager, fieldKey);
      return next;
    });
  }
}
