import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { SERVICE, type Caller } from '../../common/access/caller.js';
import { tryEach } from '../../common/jobs/try-each.js';
import type { ReadRepository } from '../../database/statements/reads.js';
import { insertRow } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { ContentTypesService } from '../store/content-types.service.js';
import { KnownTaxonomiesHost } from '../store/known-taxonomies.port.js';
import { TypeUsageHost, type Position } from '../store/type-usage.port.js';
import { TaxonomyWithdrawal } from './taxonomy-withdrawal.entity.js';

/**
 * Taxonomies that were removed from a type whose records still hold their terms. The terms are withdrawn from the
 * records and their working copies one by one; the pending withdrawals are kept in a table, so that an interrupted one is resumed.
 */
@Injectable()
export class TaxonomyWithdrawals {
  private isStopping = false;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    @InjectRepository(TaxonomyWithdrawal) private readonly withdrawals: ReadRepository<TaxonomyWithdrawal>,
    private readonly types: ContentTypesService,
    private readonly taxonomies: KnownTaxonomiesHost,
    private readonly usage: TypeUsageHost,
  ) {}

  /** Lets no further batch begin. What is left is done after the next start. */
  stop(): void {
    this.isStopping = true;
  }

  /** Records withdrawals as pending, in the unit of work that removes the taxonomies from the type. */
  async begin(manager: EntityManager, typeId: number, taxonomies: readonly string[]): Promise<void> {
    for (const taxonomy of taxonomies) await insertRow(manager, TaxonomyWithdrawal, { typeId, taxonomy });
  }

  /** Tells whether records of a type may hold terms of a taxonomy that it no longer has. */
  isPending(manager: EntityManager, typeId: number): Promise<boolean> {
    return manager.existsBy(TaxonomyWithdrawal, { typeId });
  }

  /** Withdraws the terms of removed taxonomies from the records of a type. Several processes may do so at the same time. */
  async finish(typeId: number, caller: Caller): Promise<void> {
    const pending = await this.withdrawals.findBy({ typeId });
    // A type that was cached before the change would still have the taxonomy.
    if (pending.length > 0) this.types.refresh();
    for (const withdrawal of pending) await this.finishOne(withdrawal, caller);
  }

  /** Finishes what a stop has interrupted. */
  async resume(): Promise<void> {
    const pending = await this.withdrawals.find({ order: { id: 'ASC' } });
    if (pending.length > 0) this.types.refresh();
    await tryEach(pending, (withdrawal) => this.finishOne(withdrawal, SERVICE));
  }

  private async finishOne(withdrawal: TaxonomyWithdrawal, caller: Caller): Promise<void> {
    let last: Position | null = null;
    do {
      if (this.isStopping) return;
      last = await this.taxonomies.get().withdraw(withdrawal, last, caller);
    } while (last);
    const { id, typeId, taxonomy } = withdrawal;
    await this.usage
      .copies()
      .forget(typeId, { taxonomies: [taxonomy] }, (manager) => manager.existsBy(TaxonomyWithdrawal, { id }));
    await this.unitOfWork.run((manager) => manager.delete(TaxonomyWithdrawal, { id }));
  }
}
