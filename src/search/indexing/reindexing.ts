import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StaleTypeError } from '../../content-types/store/content-types.service.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { KnownWords } from '../answers/known-words.js';
import { RecordBatches, type RecordBatch } from './record-batches.js';
import { documentsOf } from './search-documents.js';
import { SearchIndex, type IndexedRecord, type SearchDocument } from '../search-index.js';
import { IndexingQueue, LostTaskError, type IndexingTask } from './indexing-queue.js';

const DROPPED_AT_ONCE = 200;

/** State of a task after a part of it. */
export interface Reached {
  /** `null`: it is done. */
  readonly task: IndexingTask | null;
  readonly documents: readonly SearchDocument[];
}

/**
 * Indexes records anew, a batch in a unit of work. The unit holds the records while it reads them, so no newer
 * text is overwritten with an older one. Where it stops, another process goes on.
 */
@Injectable()
export class Reindexing {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: IndexingQueue,
    private readonly batches: RecordBatches,
    private readonly index: SearchIndex,
    private readonly words: KnownWords,
  ) {}

  /**
   * Does the next part of a task. One that another process has done meanwhile is undone here, and the answer is where
   * the task is then; one of a type that was changed meanwhile is begun anew.
   *
   * @param most records in it
   */
  async step(task: IndexingTask, most: number): Promise<Reached> {
    // What is written from now on is indexed by those who write it.
    const endAt = task.endAt ?? (await this.batches.lastId());
    try {
      const reached = await this.batch(task, endAt, most);
      this.words.note(reached.documents);
      await this.words.keep();
      return reached;
    } catch (error) {
      if (error instanceof StaleTypeError) return this.step(task, most);
      if (!(error instanceof LostTaskError)) throw error;
      return { task: await this.queue.find(task.kind, task.targetId), documents: [] };
    }
  }

  /** Removes documents, whatever there is of their records. */
  async drop(documents: readonly IndexedRecord[]): Promise<void> {
    for (let start = 0; start < documents.length; start += DROPPED_AT_ONCE) {
      const some = documents.slice(start, start + DROPPED_AT_ONCE);
      await this.unitOfWork.run((manager) => this.index.remove(manager, some));
    }
  }

  private batch(task: IndexingTask, endAt: number, most: number): Promise<Reached> {
    return this.unitOfWork.run(async (manager) => {
      const batch = await this.batches.lock(manager, task, endAt, most);
      const documents = await documentsOf(manager, batch.records);
      if (task.kind === 'term') await this.index.upsert(manager, documents);
      else await this.replace(manager, batch, documents);
      const position = batch.range.upTo;
      if (batch.isLast) await this.queue.finish(manager, task);
      else await this.queue.advance(manager, task, position, endAt);
      return { task: batch.isLast ? null : { ...task, position, endAt }, documents };
    });
  }

  /** Types without a record in the range too: there may be something to remove. */
  private async replace(
    manager: EntityManager,
    { types, range }: RecordBatch,
    documents: readonly SearchDocument[],
  ): Promise<void> {
    for (const { id } of types) {
      const own = documents.filter(({ typeId }) => typeId === id);
      await this.index.replace(manager, id, range, own);
    }
  }
}
