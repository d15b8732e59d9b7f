import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SERVICE, type Caller } from '../../common/access/caller.js';
import { Reads } from '../../database/statements/reads.js';
import { execute, select } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { ContentTypesService } from '../store/content-types.service.js';
import { KnownTaxonomiesHost, type LeftTaxonomy } from '../store/known-taxonomies.port.js';
import type { Place } from '../store/type-usage.port.js';

interface ProviderRedirect extends LeftTaxonomy {
  readonly id: number;
}

interface Row {
  readonly id: number | string;
  readonly type_id: number | string;
  readonly taxonomy: string;
}

const PENDING = 'SELECT id, type_id, taxonomy FROM type_departures';

/**
 * Taxonomies that left a type while its records hold their terms. The records are written one by one, which takes its
 * time and can be interrupted, and is taken up again from here.
 */
@Injectable()
export class TypeDepartures {
  private isStopping = false;

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

  /** Notes that taxonomies leave a type, in the unit of work that takes them from it. */
  async begin(manager: EntityManager, typeId: number, taxonomies: readonly string[]): Promise<void> {
    for (const taxonomy of taxonomies) {
      await execute(manager, 'INSERT INTO type_departures (type_id, taxonomy) VALUES (?, ?)', [typeId, taxonomy]);
    }
  }

  /** Whether records of a type may hold terms of a taxonomy that it no longer has. */
  async isPending(manager: EntityManager, typeId: number): Promise<boolean> {
    return (await select(manager, `${PENDING} WHERE type_id = ? LIMIT 1`, [typeId])).length > 0;
  }

  /** Has the records of a type let go of what it no longer has. Several processes may do that at the same time. */
  async finish(typeId: number, caller: Caller): Promise<void> {
    const rows = await this.reads.select<Row>(`${PENDING} WHERE type_id = ?`, [typeId]);
    await this.finishAll(rows.map(departureOf), caller);
  }

  /** Finishes what a stop has interrupted. */
  async resume(): Promise<void> {
    const rows = await this.reads.select<Row>(`${PENDING} ORDER BY id`);
    await this.finishAll(rows.map(departureOf), SERVICE);
  }

  private async finishAll(departures: readonly ProviderRedirect[], caller: Caller): Promise<void> {
    // A type that is remembered from before the change would still have the taxonomy.
    if (departures.length > 0) this.types.refresh();
    for (const departure of departures) await this.finishOne(departure, caller);
  }

  private async finishOne(departure: ProviderRedirect, caller: Caller): Promise<void> {
    let last: Place | null = null;
    do {
      if (this.isStopping) return;
      last = await this.taxonomies.get().withdraw(departure, last, caller);
    } while (last);
    await this.unitOfWork.run((manager) =>
      execute(manager, 'DELETE FROM type_departures WHERE id = ?', [departure.id]),
    );
  }
}

function departureOf({ id, type_id: typeId, taxonomy }: Row): ProviderRedirect {
  return { id: Number(id), typeId: Number(typeId), taxonomy };
}
