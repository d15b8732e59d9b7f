import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import type { Condition } from '../../database/dialect/dialect.js';
import { AgreedTime } from '../../database/units/agreed-time.js';
import { Reads } from '../../database/statements/reads.js';
import { execute, select } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';

/** `all` records, those of a `type`, or those that hold a `term`. */
export type TaskKind = 'all' | 'type' | 'term';

/** Indexing that one process has undertaken. */
export interface IndexingTask {
  readonly id: number;
  readonly kind: TaskKind;
  /** The type or the term; 0: none. */
  readonly targetId: number;
  /** Id of the last record that is done. */
  readonly position: number;
  /** Id of the last record there is to do; `null`: not yet known. */
  readonly endAt: number | null;
}

interface Row {
  readonly id: number | string;
  readonly kind: TaskKind;
  readonly target_id: number | string;
  readonly position: number | string;
  readonly end_at: number | string | null;
}

/** How long a process that has died keeps others from taking over. */
const LEASE_MS = 15_000;
const COLUMNS = 'id, kind, target_id, position, end_at';

/** Another process has the task now, or it was begun anew. */
export class LostTaskError extends Error {}

/** The list of what is to be indexed. A task belongs to one process at a time, as long as that gives signs of life. */
@Injectable()
export class IndexingQueue {
  private readonly owner = randomUUID();

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly time: AgreedTime,
  ) {}

  /** {@link addIndexingTask} */
  async add(manager: EntityManager, kind: TaskKind, targetId: number): Promise<void> {
    await addIndexingTask(manager, kind, targetId, this.clock.now());
  }

  /** {@link add} for a task that this process goes on with at once. */
  async addTaken(manager: EntityManager, kind: TaskKind, targetId: number): Promise<IndexingTask> {
    await this.add(manager, kind, targetId);
    const which = 'kind = ? AND target_id = ?';
    const lease = [this.owner, this.clock.now() + LEASE_MS];
    await execute(manager, `UPDATE search_jobs SET lease_by = ?, lease_until = ? WHERE ${which}`, [
      ...lease,
      kind,
      targetId,
    ]);
    const [row] = await select<Row>(manager, `SELECT ${COLUMNS} FROM search_jobs WHERE ${which}`, [kind, targetId]);
    if (!row) throw new LostTaskError();
    return taskOf(row);
  }

  /** A task by what it is about, taken or not. */
  async find(kind: TaskKind, targetId: number): Promise<IndexingTask | null> {
    const [row] = await this.reads.select<Row>(`SELECT ${COLUMNS} FROM search_jobs WHERE kind = ? AND target_id = ?`, [
      kind,
      targetId,
    ]);
    return row ? taskOf(row) : null;
  }

  /** How many jobs there are, taken or not. */
  async count(): Promise<number> {
    const [row] = await this.reads.select<{ jobs: number | string }>('SELECT COUNT(*) AS jobs FROM search_jobs');
    return Number(row?.jobs ?? 0);
  }

  /** The oldest task that no process works on. */
  async oldestFree(): Promise<IndexingTask | null> {
    const isFree = this.isFree(this.clock.now());
    const [row] = await this.reads.select<Row>(
      `SELECT ${COLUMNS} FROM search_jobs WHERE ${isFree.sql} ORDER BY id LIMIT 1`,
      isFree.values,
    );
    return row ? taskOf(row) : null;
  }

  /** Takes a task that no process works on. Returns it as it is now, or `null`: another process was faster. */
  async take({ id, kind, targetId }: IndexingTask): Promise<IndexingTask | null> {
    const now = await this.time.now();
    const isFree = this.isFree(now);
    const isTaken = await this.unitOfWork.run(async (manager) => {
      const sql = `UPDATE search_jobs SET lease_by = ?, lease_until = ? WHERE id = ? AND ${isFree.sql}`;
      return (await execute(manager, sql, [this.owner, now + LEASE_MS, id, ...isFree.values])).affected > 0;
    });
    return isTaken ? this.find(kind, targetId) : null;
  }

  /**
   * Notes how far a task has come, as part of the unit that has brought it there.
   *
   * @throws {LostTaskError}
   */
  async advance(manager: EntityManager, { id }: IndexingTask, position: number, endAt: number): Promise<void> {
    const { affected } = await execute(
      manager,
      'UPDATE search_jobs SET position = ?, end_at = ?, lease_until = ? WHERE id = ? AND lease_by = ?',
      [position, endAt, this.clock.now() + LEASE_MS, id, this.owner],
    );
    if (affected === 0) throw new LostTaskError();
  }

  /** @throws {LostTaskError} */
  async finish(manager: EntityManager, { id }: IndexingTask): Promise<void> {
    const sql = 'DELETE FROM search_jobs WHERE id = ? AND lease_by = ?';
    if ((await execute(manager, sql, [id, this.owner])).affected === 0) throw new LostTaskError();
  }

  /**
   * Frees tasks that are taken until a time that no process would have given them: a clock was ahead.
   *
   * @returns those, as they are now
   */
  async freeStuck(): Promise<readonly IndexingTask[]> {
    const latest = this.clock.now() + 4 * LEASE_MS;
    return this.unitOfWork.run(async (manager) => {
      const rows = await select<Row>(manager, `SELECT ${COLUMNS} FROM search_jobs WHERE lease_until > ?`, [latest]);
      await execute(manager, 'UPDATE search_jobs SET lease_until = 0 WHERE lease_until > ?', [latest]);
      return rows.map(taskOf);
    });
  }

  private isFree(now: number): Condition {
    const isAhead = this.time.isAhead('lease_until', LEASE_MS);
    return { sql: `(lease_until < ? OR ${isAhead.sql})`, values: [now, ...isAhead.values] };
  }

  /** Lets others have a task that is not finished. */
  async release({ id }: IndexingTask): Promise<void> {
    await this.unitOfWork.run((manager) =>
      execute(manager, 'UPDATE search_jobs SET lease_until = 0 WHERE id = ? AND lease_by = ?', [id, this.owner]),
    );
  }
}

/**
 * Adds a task. One of the same kind that is there already begins anew: what it has done may be out of date.
 *
 * @param now milliseconds since 1970, UTC
 */
export async function addIndexingTask(
  manager: EntityManager,
  kind: TaskKind,
  targetId: number,
  now: number,
): Promise<void> {
  await execute(manager, 'DELETE FROM search_jobs WHERE kind = ? AND target_id = ?', [kind, targetId]);
  await execute(
    manager,
    'INSERT INTO search_jobs (kind, target_id, position, lease_until, created_at) VALUES (?, ?, 0, 0, ?)',
    [kind, targetId, now],
  );
}

function taskOf({ id, kind, target_id: targetId, position, end_at: endAt }: Row): IndexingTask {
  return {
    id: Number(id),
    kind,
    targetId: Number(targetId),
    position: Number(position),
    endAt: endAt === null ? null : Number(endAt),
  };
}
