import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditedUnits, type AddEvent } from '../../audit/audited-units.js';
import { counted } from '../../common/text/counted.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { tryEach } from '../../common/jobs/try-each.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import type { CompiledType } from '../definition/content-type.js';
import { ContentTypesService, typeNotFound } from '../store/content-types.service.js';
import { TypeStore } from '../store/type-store.js';
import type { Conditions } from './type-updates.js';
import { TypeUsageHost } from '../store/type-usage.port.js';

/** Deletes content types, and what is kept under them. */
@Injectable()
export class TypeRemoval {
  private isStopping = false;
  /** Ids of types whose records this process removes at present. */
  private readonly underWay = new Set<number>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: TypeStore,
    private readonly types: ContentTypesService,
    private readonly host: TypeUsageHost,
    private readonly units: AuditedUnits,
  ) {}

  /** Lets no further batch begin. What is left goes at the next start. */
  stop(): void {
    this.isStopping = true;
  }

  /**
   * Deletes a type. Its records go with it, where that is confirmed by the name of the type; they are in no answer from the first moment.
   *
   * @throws {DomainError} `type_not_found`, `type_not_empty`, `type_in_use`: fields of other types point to it,
   *   `invalid_token`, `insufficient_scope`
   */
  async remove({ id, name }: CompiledType, { confirm, ...by }: Omit<Conditions, 'ifMatch'>): Promise<void> {
    const records = await this.host.get().count(id);
    const look = async (manager: EntityManager): Promise<void> => {
      const type = await this.store.lock(manager, id);
      if (!type) throw typeNotFound(name);
      const referrers = await this.store.referrers(manager, type);
      if (referrers.length > 0) throw referredTo(name, referrers);
      const hasRecords = await this.host.get().hasRecords(manager, id);
      if (hasRecords && confirm !== name) throw notEmpty(name, Math.max(records, 1));
    };
    const remove = async (manager: EntityManager, add: AddEvent): Promise<void> => {
      await look(manager);
      await this.host.get().abandon(manager, id);
      await this.store.remove(manager, id);
      await add('type.deleted', { type: name });
    };
    const who = { ...by, scope: 'types:write' } as const;
    await this.units.run(who, remove);
    this.types.refresh();
    await this.removeRecords(id);
  }

  /** Removes the records of types that were deleted when their process ended. Two processes that do it share the work. */
  async resume(): Promise<void> {
    await tryEach(await this.host.get().abandoned(), (typeId) => this.removeRecords(typeId));
  }

  private async removeRecords(typeId: number): Promise<void> {
    if (this.underWay.has(typeId)) return;
    this.underWay.add(typeId);
    const usage = this.host.get();
    try {
      while (!this.isStopping && (await this.unitOfWork.run((manager) => usage.removeBatch(manager, typeId))) > 0);
    } finally {
      this.underWay.delete(typeId);
    }
  }
}

function referredTo(name: string, referrers: readonly string[]): DomainError {
  return new DomainError(
    'type_in_use',
    `Fields of other types point to ${name}: ${referrers.join(', ')}. Change them first.`,
    {
      details: referrers.map((field) => ({ field, change: 'removed' })),
    },
  );
}

function notEmpty(name: string, records: number): DomainError {
  return new DomainError(
    'type_not_empty',
    `The content type ${name} has ${counted(records, 'record')}, the trash included. Add ?confirm=${name} to delete them too.`,
    { details: [{ records }] },
  );
}
