import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Registry } from 'prom-client';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { readGauge } from '../../common/metrics/read-gauge.js';
import type { ReadRepository } from '../../database/statements/reads.js';
import { insertRow } from '../../database/statements/statement.js';
import { SearchJob } from '../search-job.entity.js';

/** `all` records, those of a `type`, or those that hold a `term`. */
export type TaskKind = 'all' | 'type' | 'term';

/** A task, and how far it has come. */
export type IndexingTask = Readonly<Pick<SearchJob, 'id' | 'kind' | 'targetId' | 'position' | 'endAt'>>;

/** Another process has done this part of the task, or it was begun anew. */
export class LostTaskError extends Error {}

/** The list of what is to be indexed. Any process may do the next part of any task: one of two gets it done. */
@Injectable()
export class IndexingQueue {
  constructor(
    @InjectRepository(SearchJob) private readonly jobs: ReadRepository<SearchJob>,
    private readonly clock: Clock,
    registry: Registry,
  ) {
    readGauge(
      {
        name: 'cms_search_queue',
        help: 'Jobs of indexing that are not done: a type, a term or all records.',
        registers: [registry],
      },
      () => this.jobs.count(),
    );
  }

  /** {@link addIndexingTask} */
  async add(manager: EntityManager, kind: TaskKind, targetId: number): Promise<void> {
    await addIndexingTask(manager, kind, targetId, this.clock.now());
  }

  /** A task by what it is about. */
  find(kind: TaskKind, targetId: number): Promise<IndexingTask | null> {
    return this.jobs.findOneBy({ kind, targetId });
  }

  async oldest(): Promise<IndexingTask | null> {
    const [oldest = null] = await this.jobs.find({ order: { id: 'ASC' }, take: 1 });
    return oldest;
  }

  /** Notes how far a task has come, as part of the unit that has brought it there. @throws {LostTaskError} */
  async advance(manager: EntityManager, task: IndexingTask, position: number, endAt: number): Promise<void> {
    const { affected } = await manager.update(SearchJob, partOf(task), { position, endAt });
    if (affected === 0) throw new LostTaskError();
  }

  /** @throws {LostTaskError} */
  async finish(manager: EntityManager, task: IndexingTask): Promise<void> {
    const { affected } = await manager.delete(SearchJob, partOf(task));
    if (affected === 0) throw new LostTaskError();
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
  await manager.delete(SearchJob, { kind, targetId });
  await insertRow(manager, SearchJob, { kind, targetId, position: 0, endAt: null, createdAt: now });
}

/** The row of a task as long as nothing else has brought it further. */
function partOf({ id, position }: IndexingTask): Pick<IndexingTask, 'id' | 'position'> {
  return { id, position };
}
