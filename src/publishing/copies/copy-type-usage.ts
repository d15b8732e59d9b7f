import { Injectable, type OnModuleInit } from '@nestjs/common';
import { setImmediate as turn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import {
  TypeUsageHost,
  type CopiedValues,
  type CopyUsage,
  type LostParts,
} from '../../content-types/store/type-usage.port.js';
import { readerOf, Reads, selectIds } from '../../database/statements/reads.js';
import { execute, placeholders } from '../../database/statements/statement.js';
import { REPEATABLE, UnitOfWork } from '../../database/units/unit-of-work.js';
import { CopyStore, deleteCopy } from './copy-store.js';
import { plannedTerms } from './copy-terms.js';
import { taxonomyOf, termsKey, type Overlay, type Parts } from './overlay.js';
import type { WorkingCopy } from './working-copy.js';
import { executeLater } from '../../database/statements/statement-queue.js';
import {
  RecordListeners,
  type DependentRow,
  type RecordListener,
  type RemovedRecord,
  dependentRows,
} from '../../records/writing/record-listeners.js';

const BATCH = 100;

/**
 * Answers content types about the working copies of their records, and looks after these with their records: writes
 * of a record leave its copy alone, it waits with it in the trash, and is removed with it.
 */
@Injectable()
export class CopyTypeUsage implements CopyUsage, RecordListener, OnModuleInit {
  constructor(
    private readonly host: TypeUsageHost,
    private readonly listeners: RecordListeners,
    private readonly reads: Reads,
    private readonly store: CopyStore,
    private readonly units: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.host.useCopies(this);
    this.listeners.add(this);
  }

  folded(manager: EntityManager, recordId: number, version: number): Promise<void> {
    return deleteCopy(manager, recordId, version);
  }

  async removed(manager: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    const ids = records.map(({ id }) => id);
    if (ids.length === 0) return;
    await executeLater(manager, `DELETE FROM record_drafts WHERE record_id IN (${placeholders(ids)})`, ids);
  }

  dependents(manager: EntityManager, ids: readonly number[], most: number): Promise<readonly DependentRow[]> {
    return dependentRows(
      manager,
      { table: 'record_drafts', bytes: 'OCTET_LENGTH(changes) + OCTET_LENGTH(bases)' },
      ids,
      most,
    );
  }

  next(typeId: number, after: number): Promise<readonly number[]> {
    const sql = `SELECT record_id AS id FROM record_drafts
      WHERE type_id = ? AND record_id > ? ORDER BY record_id LIMIT ${BATCH}`;
    return selectIds(this.reads, sql, [typeId, after]);
  }

  async *some(ids: readonly number[], manager?: EntityManager): AsyncGenerator<CopiedValues> {
    for await (const copies of this.store.portions(ids, manager && readerOf(manager))) {
      for (const [id, { overlay }] of copies) yield { id, ...contentsOf(overlay.changes) };
    }
  }

  async forget(
    typeId: number,
    { fields = [], taxonomies = [] }: LostParts,
    isLost: (manager: EntityManager) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<void> {
    const keys = [...fields, ...taxonomies.map(termsKey)];
    const concerned = ({ overlay }: WorkingCopy): boolean => keys.some((key) => Object.hasOwn(overlay.changes, key));
    for (let last: number | undefined = 0; last !== undefined;) {
      const ids = await this.next(typeId, last);
      for await (const copies of this.store.portions(ids)) {
        for (const [id, copy] of [...copies].filter(([, one]) => concerned(one))) {
          await this.units.run(async (manager) => {
            // Asked behind the reading: a copy that was saved since has another version.
            if (await isLost(manager)) await rewrite(manager, id, copy.version, without(copy.overlay, keys));
          }, REPEATABLE);
        }
      }
      last = ids.at(-1);
      // Where the database works in this very thread, an answer of it lets no request in.
      await turn();
    }
  }
}

function without({ changes, bases }: Overlay, keys: readonly string[]): Overlay {
  const left = (parts: Parts): Parts =>
    Object.fromEntries(Object.entries(parts).filter(([key]) => !keys.includes(key)));
  return { changes: left(changes), bases: left(bases) };
}

/** The version stays, since answers leave lost parts out anyway. A copy that was saved meanwhile has none of the lost parts. */
async function rewrite(
  manager: EntityManager,
  recordId: number,
  version: number,
  { changes, bases }: Overlay,
): Promise<void> {
  const which = 'WHERE record_id = ? AND version = ?';
  if (Object.keys(changes).length === 0) {
    await execute(manager, `DELETE FROM record_drafts ${which}`, [recordId, version]);
    return;
  }
  const values = [JSON.stringify(changes), JSON.stringify(bases)];
  await execute(manager, `UPDATE record_drafts SET changes = ?, bases = ? ${which}`, [...values, recordId, version]);
}

function contentsOf(changes: Parts): Omit<CopiedValues, 'id'> {
  const terms = Object.entries(changes).flatMap(([key, value]) => {
    const taxonomy = taxonomyOf(key);
    return taxonomy === null ? [] : [[taxonomy, plannedTerms(value)] as const];
  });
  return { values: changes, terms: Object.fromEntries(terms) };
}
