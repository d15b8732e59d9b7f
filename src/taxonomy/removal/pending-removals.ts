import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import { Dialect } from '../../database/dialect/dialect.js';
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
  /**
   * When records are looked through once more, milliseconds since 1970 by the clock of the database; 0: not again. It
   * changes as a sweep begins, so it tells the removal from its sweep.
   */
  readonly sweepAt: number;
}

interface Row {
  readonly term_id: number | string;
  readonly into_id: number | string | null;
  readonly is_pending: number;
  readonly sweep_at: number | string;
}

const COLUMNS = 'term_id, into_id, is_pending, sweep_at';
const BY_ID = `SELECT ${COLUMNS} FROM term_redirects WHERE term_id = ?`;
const BEHIND_ALL_IDS = Number.MAX_SAFE_INTEGER;
/** By then units of work have ended that read the term before it was removed. */
const SWEEP_AFTER_MS = 60_000;
/** Removals whose sweep is due that are read together. */
const BATCH = 100;

/**
 * Terms that were removed while records still hold them. Such a term cannot be assigned any more; the records are written
 * one by one, which takes its time and can be interrupted, and is taken up again from here. Where several servers take
 * writes, a lock on the term holds on its server only: on another one a record may take it as it is removed. So
 * the records are looked through once more when no such unit of work is left (docs/adr/0031).
 */
@Injectable()
export class PendingRemovals {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly dialect: Dialect,
    private readonly host: TermUsageHost,
  ) {}

  /** Whether a record may take a term that no record held when it was removed. */
  get areSwept(): boolean {
    return this.dialect.hasSeveralWriters;
  }

  /** Notes that a term goes, in the unit of work that removes it. What went into it before follows it. */
  async begin(manager: EntityManager, term: StoredTerm, intoId: number | null): Promise<RemovedTerm> {
    await this.forward(manager, term.id, intoId);
    const sweepAt = this.areSwept ? `${this.dialect.now} + ${SWEEP_AFTER_MS}` : '0';
    await execute(
      manager,
      `INSERT INTO term_redirects (term_id, taxonomy, slug, into_id, is_pending, sweep_at)
       VALUES (?, ?, ?, ?, 1, ${sweepAt})`,
      [term.id, term.taxonomy, term.slug, intoId],
    );
    const [row] = this.areSwept ? await select<Row>(manager, BY_ID, [term.id]) : [];
    return row ? removedTermOf(row) : { termId: term.id, intoId, isPending: true, sweepAt: 0 };
  }

  /** Redirects the terms that were merged into a term which is removed now itself; after a deletion they have no target. */
  async forward(manager: EntityManager, termId: number, intoId: number | null): Promise<void> {
    if (intoId === null) {
      await execute(manager, 'DELETE FROM term_redirects WHERE into_id = ? AND sweep_at = 0', [termId]);
    }
    await execute(manager, 'UPDATE term_redirects SET into_id = ? WHERE into_id = ?', [intoId, termId]);
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

  /**
   * Removes a term from the records that still hold it, or replaces it there. A sweep that has begun meanwhile stays
   * pending: it is finished by itself.
   */
  async finish({ termId, intoId, sweepAt }: RemovedTerm, caller: Caller): Promise<void> {
    await this.host.get().replace(termId, intoId, caller);
    await this.unitOfWork.run(async (manager) => {
      if (intoId === null && sweepAt === 0) {
        const done = 'DELETE FROM term_redirects WHERE term_id = ? AND into_id IS NULL AND sweep_at = 0';
        if ((await execute(manager, done, [termId])).affected > 0) return;
      }
      const done = 'UPDATE term_redirects SET is_pending = 0 WHERE term_id = ? AND sweep_at = ?';
      await execute(manager, done, [termId, sweepAt]);
    });
  }

  /**
   * Finishes a removal once more, for records that took the term on another server at the moment of its removal. Does
   * nothing where that has begun already.
   */
  async sweep(termId: number, caller: Caller): Promise<void> {
    const removed = await this.beginAgain(termId);
    if (removed) await this.finish(removed, caller);
  }

  /** Removals that are due to be finished once more, by the ids of their terms, the longest due first. */
  async *due(): AsyncGenerator<number> {
    for (let last = { at: 0, id: 0 }; ;) {
      const { sql, values } = this.dialect.comesAfter(['sweep_at', 'term_id'], [last.at, last.id]);
      const rows = await this.reads.select<Pick<Row, 'term_id' | 'sweep_at'>>(
        `SELECT term_id, sweep_at FROM term_redirects
          WHERE sweep_at > 0 AND sweep_at <= ${this.dialect.now} AND (${sql})
          ORDER BY sweep_at, term_id LIMIT ${BATCH}`,
        values,
      );
      for (const row of rows) {
        last = { at: Number(row.sweep_at), id: Number(row.term_id) };
        yield last.id;
      }
      if (rows.length < BATCH) return;
    }
  }

  /** Makes the removal pending again, as an interrupted one is: its target cannot be removed before it is finished. */
  private beginAgain(termId: number): Promise<RemovedTerm | null> {
    return this.unitOfWork.run(async (manager) => {
      const begin = 'UPDATE term_redirects SET is_pending = 1, sweep_at = 0 WHERE term_id = ? AND sweep_at > 0';
      if ((await execute(manager, begin, [termId])).affected === 0) return null;
      const [row] = await select<Row>(manager, BY_ID, [termId]);
      return row ? removedTermOf(row) : null;
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

function removedTermOf({ term_id: termId, into_id: intoId, is_pending: pending, sweep_at: sweepAt }: Row): RemovedTerm {
  return {
    termId: Number(termId),
    intoId: intoId === null ? null : Number(intoId),
    isPending: pending === 1,
    sweepAt: Number(sweepAt),
  };
}
