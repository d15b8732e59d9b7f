import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { In, LessThan, MoreThan, Or, type EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { AgreedTime } from '../../database/units/agreed-time.js';
import { insertRow, placeholders } from '../../database/statements/statement.js';
import { executeLater } from '../../database/statements/statement-queue.js';
import { REPEATABLE, UnitOfWork } from '../../database/units/unit-of-work.js';
import type { CompiledType } from '../definition/content-type.js';
import { ContentTypesService } from '../store/content-types.service.js';
import { TypeStore } from '../store/type-store.js';
import { TypeWatch, TypeWatchRecord } from './type-watch.entity.js';

/** A change of a type that learns of all records that are written while it looks at the others. */
export interface Watch {
  readonly id: string;
  readonly typeId: number;
}

/** A process that lives renews its watches several times within this span. */
const LEASE_MS = 300_000;
/** Records that are looked at together. */
const BATCH = 100;

/** Notes that records have other values now, if their type is watched, in the unit of work that writes them. */
export async function noteWritten(
  manager: EntityManager,
  { id, isWatched = false }: CompiledType,
  recordIds: readonly number[],
): Promise<void> {
  if (!isWatched || recordIds.length === 0) return;
  await executeLater(
    manager,
    `INSERT INTO type_watch_records (watch_id, record_id)
     SELECT w.id, r.id FROM type_watches w, records r WHERE w.type_id = ? AND r.id IN (${placeholders(recordIds)})`,
    [id, ...recordIds],
  );
}

/**
 * Watches types. The stamp of a type changes when a watch begins, and no record can be written on a type of an earlier
 * stamp: so from the commit on every write of every process leaves a note. What is noted is exact, whatever clocks say;
 * they only decide when the watch of a process that died may be cleared away.
 */
@Injectable()
export class TypeWatches {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: TypeStore,
    private readonly types: ContentTypesService,
    private readonly clock: Clock,
    private readonly time: AgreedTime,
  ) {}

  /** Answers once every write that does not know of the watch is committed. */
  async begin(typeId: number): Promise<Watch> {
    const watch = { id: randomUUID(), typeId };
    await this.unitOfWork.run(async (manager) => {
      if ((await this.store.lock(manager, typeId)) === null) return;
      await insertRow(manager, TypeWatch, { ...watch, untilAt: this.clock.now() + LEASE_MS });
      await this.store.restamp(manager, typeId);
    }, REPEATABLE);
    this.types.refresh();
    return watch;
  }

  async renew({ id }: Watch): Promise<void> {
    const renewed = { untilAt: this.clock.now() + LEASE_MS };
    await this.unitOfWork.run((manager) => manager.update(TypeWatch, { id }, renewed), REPEATABLE);
  }

  async end({ id, typeId }: Watch): Promise<void> {
    while ((await this.unitOfWork.run((manager) => this.forgetSome(manager, id), REPEATABLE)) > 0);
    await this.unitOfWork.run(async (manager) => {
      await this.store.lock(manager, typeId);
      await manager.delete(TypeWatch, { id });
      await manager.delete(TypeWatchRecord, { watchId: id });
      await this.store.restamp(manager, typeId);
    }, REPEATABLE);
    this.types.refresh();
  }

  /** Clears away what a process left behind that died. */
  async sweep(): Promise<void> {
    const now = await this.time.now();
    const untilAt = Or(LessThan(now), this.time.ahead(LEASE_MS));
    const left = await this.unitOfWork.run((manager) => manager.findBy(TypeWatch, { untilAt }));
    for (const watch of left) await this.end(watch);
  }

  /** Takes the notes of some writes that are committed: what is read of these records from now on is as new at least. */
  take(watch: Watch): Promise<readonly number[]> {
    return this.unitOfWork.run(async (manager) => {
      const notes = await notesOf(manager, watch);
      await forget(manager, notes);
      return recordsOf(notes);
    }, REPEATABLE);
  }

  /**
   * Records that were written and not taken, some behind a note; the type is locked. `null`: the watch is gone, since
   * the process stood still for longer than its lease.
   */
  async left(manager: EntityManager, watch: Watch, after: number): Promise<LeftNotes | null> {
    if (!(await manager.existsBy(TypeWatch, { id: watch.id }))) return null;
    const notes = await notesOf(manager, watch, after);
    return { recordIds: recordsOf(notes), last: notes.at(-1)?.id ?? 0 };
  }

  private async forgetSome(manager: EntityManager, watchId: string): Promise<number> {
    const notes = await notesOf(manager, { id: watchId });
    await forget(manager, notes);
    return notes.length;
  }
}

/** Some records of a watch, and the last note that was read; 0: there are no more. */
export interface LeftNotes {
  readonly recordIds: readonly number[];
  readonly last: number;
}

function notesOf(manager: EntityManager, { id }: Pick<Watch, 'id'>, after = 0): Promise<TypeWatchRecord[]> {
  return manager.find(TypeWatchRecord, {
    where: { watchId: id, id: MoreThan(after) },
    order: { id: 'ASC' },
    take: BATCH,
  });
}

async function forget(manager: EntityManager, notes: readonly TypeWatchRecord[]): Promise<void> {
  if (notes.length > 0) await manager.delete(TypeWatchRecord, { id: In(notes.map(({ id }) => id)) });
}

function recordsOf(notes: readonly TypeWatchRecord[]): number[] {
  return [...new Set(notes.map(({ recordId }) => recordId))];
}
