import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SERVICE, type Caller } from '../../common/access/caller.js';
import { TaskRetries } from '../../common/jobs/task-retries.js';
import { Reads } from '../../database/statements/reads.js';
import { execute, select } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { ContentTypesService } from '../store/content-types.service.js';
import { KnownTaxonomiesHost, type RemovedTaxonomy } from '../store/known-taxonomies.port.js';
import type { Position } from '../store/type-usage.port.js';

interface PendingWithdrawal extends RemovedTaxonomy {
  readonly id: number;
}

interface Row {
  readonly id: number | string;
  readonly type_id: number | string;
  readonly taxonomy: string;
}

const PENDING = 'SELECT id, type_id, taxonomy FROM type_departures';

/**
 * Taxonomies that were removed from a type whose records still hold their terms. The terms are withdrawn from the
 * records one by one; the pending withdrawals are kept in a table, so that an interrupted one is resumed.
 */
@Injectable()
export class TaxonomyWithdrawals {
  private isStopping = false;
  private readonly resumed = new TaskRetries();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly types: ContentTypesService,
    private readonly taxonomies: KnownTaxonomiesHost,
  ) {}

  /** Lets no further batch begin. What is left is done after the next start. */
  stop(): void {
    this.isStopping = true;
  }

  /** Records withdrawals as pending, in the unit of work that removes the taxonomies from the type. */
  async begin(manager: EntityManager, typeId: number, taxonomies: readonly string[]): Promise<void> {
    for (const taxonomy of taxonomies) {
      await execute(manager, 'INSERT INTO type_departures (type_id, taxonomy) VALUES (?, ?)', [typeId, taxonomy]);
    }
  }

  /** Whether records of a type may hold terms of a taxonomy that it no longer has. */
  async isPending(manager: EntityManager, typeId: number): Promise<boolean> {
    return (await select(manager, `${PENDING} WHERE type_id = ? LIMIT 1`, [typeId])).length > 0;
  }

  /**
   * Withdraws the terms of removed taxonomies from the records of a type. Several processes may do so at the same time.
   */
  async finish(typeId: number, caller: Caller): Promise<void> {
    const rows = await this.reads.select<Row>(`${PENDING} WHERE type_id = ?`, [typeId]);
    // A type that was cached before the change would still have the taxonomy.
    if (rows.length > 0) this.types.refresh();
    for (const row of rows) await this.finishOne(withdrawalOf(row), caller);
  }

  /** Finishes what a stop has interrupted. */
  async resume(): Promise<void> {
    const rows = await this.reads.select<Row>(`${PENDING} ORDER BY id`);
    if (rows.length > 0) this.types.refresh();
    const withdrawal = {
      idOf: ({ id }: PendingWithdrawal) => id,
      work: (pending: PendingWithdrawal) => this.finishOne(pending, SERVICE),
    };
    await this.resumed.run(rows.map(withdrawalOf), withdrawal);
  }

  private async finishOne(withdrawal: PendingWithdrawal, caller: Caller): Promise<void> {
    let last: Position | null = null;
    do {
      if (this.isStopping) return;
      last = await this.taxonomies.get().withdraw(withdrawal, last, caller);
    } while (last);
    await this.unitOfWork.run((manager) =>
      execute(manager, 'DELETE FROM type_departures WHERE id = ?', [withdrawal.id]),
    );
  }
}

function withdrawalOf({ id, type_id: typeId, taxonomy }: Row): PendingWithdrawal {
  return { id: Number(id), typeId: Number(typeId), taxonomy };
}
