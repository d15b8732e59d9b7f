import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import type { RemovedTaxonomy } from '../../content-types/store/known-taxonomies.port.js';
import type { Position } from '../../content-types/store/type-usage.port.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { Reads } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import { nextPositions } from '../types/type-walk.js';
import { TERMS_KEY, withOnly } from '../rows/record-row.js';
import { TermRewriteBatches } from './term-rewrite-batches.js';

/** Takes the terms of a taxonomy away from the records of a type that no longer has it. */
@Injectable()
export class TermWithdrawal {
  constructor(
    private readonly reads: Reads,
    private readonly dialect: Dialect,
    private readonly rewrites: TermRewriteBatches,
  ) {}

  /** Records in the trash keep their terms; when they are restored, those of taxonomies that their type lacks are left out. */
  async next({ typeId, taxonomy }: RemovedTaxonomy, after: Position | null, caller: Caller): Promise<Position | null> {
    const positions = await nextPositions(this.reads, this.dialect, typeId, after);
    const live = positions.filter(({ trashedAt }) => trashedAt === 0);
    const holders = await this.holders(live, taxonomy);
    await this.rewrites.rewrite(
      holders.map((id) => ({ id, typeId })),
      // The type may have the taxonomy again by now, and the record new terms of it.
      (type, terms) => (type.taxonomies.includes(taxonomy) ? terms : withOnly(terms, (name) => name !== taxonomy)),
      caller,
    );
    return live.length < positions.length ? null : (positions.at(-1) ?? null);
  }

  private async holders(positions: readonly Position[], taxonomy: string): Promise<readonly number[]> {
    if (positions.length === 0) return [];
    const rows = await this.reads.select<{ id: number | string }>(
      `SELECT DISTINCT record_id AS id FROM record_fields
        WHERE record_id IN (${placeholders(positions)}) AND field_id = ? AND str = ?`,
      [...positions.map(({ id }) => id), TERMS_KEY, taxonomy],
    );
    return rows.map(({ id }) => Number(id));
  }
}
