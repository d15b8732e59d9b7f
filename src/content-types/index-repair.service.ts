import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { needsIndex } from './field-index.js';
import { TypeStore } from './type-store.js';
import { TypeUsageHolder } from './type-usage.port.js';

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
    private readonly holder: TypeUsageHolder,
  ) {}

  /** Lets no further batch begin. What is left is done after the next start. */
  stop(): void {
    this.isStopping = true;
  }

  async run(): Promise<void> {
    const fields = await this.unitOfWork.run((manager) => this.store.incompleteFields(manager));
    for (const { typeId, fieldKey } of fields) await this.complete(typeId, fieldKey);
  }

  private async complete(typeId: number, fieldKey: number): Promise<void> {
    for (let last = 0, next: number; !this.isStopping; last = next) {
      next = await this.fillAfter(typeId, fieldKey, last);
      if (next === 0) return;
    }
  }

  /** Answers with the id of the last record of the batch; 0: there are no more, or the field needs no rows. */
  private fillAfter(typeId: number, fieldKey: number, last: number): Promise<number> {
    return this.unitOfWork.run(async (manager) => {
      const type = await this.store.share(manager, typeId);
      const field = type?.fields.find(({ key }) => key === fieldKey);
      // An index that is being built is completed by its builder.
      if (!field || field.building === true) return 0;
      const next = needsIndex(field) ? await this.holder.get().fillIndexGaps(manager, typeId, fieldKey, last) : 0;
      if (next === 0) await this.store.markComplete(manager, fieldKey);
      return next;
    });
  }
}
