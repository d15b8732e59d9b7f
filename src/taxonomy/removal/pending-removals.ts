import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import { Reads } from '../../database/statements/reads.js';
import { execute, select } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import type { StoredTerm } from '../terms/stored-term.js';
import type { Taxonomy } from '../taxonomies/taxonomy.js';
import type { TermReference } from '../terms/term-reference.js';
import { TermUsageHost } from '../terms/term-usage.port.js';

/** A term that was deleted, or merged into another one. */
export interface RemovedTerm {
  readonly termId: number;
  /** `null`: it was deleted. */
  readonly intoId: number | null;
  /** Whether records may still hold it. */
  readonly isPending: boolean;
}

interface Row {
  readonly term_id: number | string;
  readonly into_id: number | string | null;
  readonly is_pending: number;
}

const COLUMNS = 'term_id, into_id, is_pending';
const BEHIND_ALL_IDS = Number.MAX_SAFE_INTEGER;

/**
 * Terms that were removed while records still hold them. Such a term cannot be assigned any more; the records are written
 * one by one, which takes its time and can be interrupted, and is taken up again from here.
 */
@Injectable()
export class PendingRemovals {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly host: TermUsageHost,
  ) {}

  /** Notes that a term goes, in the unit of work that removes it. What went into it before follows it. */
  async begin(manager: EntityManager, term: StoredTerm, intoId: number | null): Promise<RemovedTerm> {
    await this.forward(manager, term.id, intoId);
    await execute(
      manager,
      'INSERT INTO term_redirects (term_id, taxonomy, slug, into_id, is_pending) VALUES (?, ?, ?, ?, 1)',
      [term.id, term.taxonomy, term.slug, intoId],
    );
    return { termId: term.id, intoId, isPending: true };
  }

  /** Redirects the terms that were merged into a term which is removed now itself; after a deletion they have no target. */
  async forward(manager: EntityManager, termId: number, intoId: number | null): Promise<void> {
    if (intoId === null) await execute(manager, 'DELETE FROM term_redirects WHERE into_id = ?', [termId]);
    else await execute(manager, 'UPDATE term_redirects SET into_id = ? WHERE into_id = ?', [intoId, termId]);
  }

  /** The last removed term with this id or slug. */
  async find({ name }: Taxonomy, { column, value }: TermReference): Promise<RemovedTerm | null> {
    const own = column === 'id' ? 'term_id' : 'slug';
    const rows = await this.reads.select<Row>(
      `SELECT ${COLUMNS} FROM term_redirects WHERE taxonomy = ? AND ${own} = ? ORDER BY term_id DESC LIMIT 1`,
      [name, value],
    );
    return rows[0] ? removedTermOf(rows[0]) : null;
  }

  /** Removes a term from the records that still hold it, or replaces it there. */
  async finish({ termId, intoId }: RemovedTerm, caller: Caller): Promise<void> {
    await this.host.get().replace(termId, intoId, caller);
    await this.unitOfWork.run(async (manager) => {
      if (intoId === null) {
        const done = 'DELETE FROM term_redirects WHERE term_id = ? AND into_id IS NULL';
        if ((await execute(manager, done, [termId])).affected > 0) return;
      }
      await execute(manager, 'UPDATE term_redirects SET is_pending = 0 WHERE term_id = ?', [termId]);
    });
  }

  /** Pending merges into a term, which cannot be removed until they are finished. */
  async into(manager: EntityManager, termId: number): Promise<RemovedTerm[]> {
    const sql = `SELECT ${COLUMNS} FROM term_redirects WHERE into_id = ? AND is_pending = 1`;
    return (await select<Row>(manager, sql, [termId])).map(removedTermOf);
  }

  /** Removals that an interruption has left unfinished, one after the other. */
  async *pending(): AsyncGenerator<RemovedTerm> {
    for (let last = BEHIND_ALL_IDS; ;) {
      const [row] = await this.reads.select<Row>(
        `SELECT ${COLUMNS} FROM term_redirects WHERE is_pending = 1 AND term_id < ? ORDER BY term_id DESC LIMIT 1`,
        [last],
      );
      if (!row) return;
      last = Number(row.term_id);
      yield removedTermOf(row);
    }
  }
}

function removedTermOf({ term_id: termId, into_id: intoId, is_pending: pending }: Row): RemovedTerm {
  return { termId: Number(termId), intoId: intoId === null ? null : Number(intoId), isPending: pending === 1 };
}
