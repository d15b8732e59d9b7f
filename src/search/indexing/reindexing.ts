import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StaleTypeError } from '../../content-types/store/content-types.service.js';
import { isIndexCorrupt } from '../../database/dialect/database-error.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { KnownWords } from '../answers/known-words.js';
import { RecordBatches, type RecordBatch } from './record-batches.js';
import { documentsOf, isLong, preparedText, type FoundRecord, type PreparedText } from './search-documents.js';
import { SearchIndex, textsOf, type SearchDocument } from '../search-index.js';
import { IndexingQueue, type IndexingTask } from './indexing-queue.js';

/** How far a task has come after a batch. */
export interface Reached {
  readonly task: IndexingTask;
  readonly documents: readonly SearchDocument[];
  readonly isDone: boolean;
}

/** What was analysed before a unit of work, by record. */
type PreparedTexts = ReadonlyMap<number, PreparedText>;

/**
 * Indexes records anew, a batch in a unit of work. The unit holds the records while it reads them, so no newer
 * text is overwritten with an older one. Where it stops, another process goes on.
 */
@Injectable()
export class Reindexing {
  private hasRecreated = false;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: IndexingQueue,
    private readonly batches: RecordBatches,
    private readonly index: SearchIndex,
    private readonly words: KnownWords,
  ) {}

  /**
   * Does the next part of a task that this process has taken. An index that turns out to be damaged is begun anew, and
   * so is the indexing of all records: another task is gone on with then.
   *
   * @param most records in it
   * @throws {LostTaskError}
   */
  async step(task: IndexingTask, most: number): Promise<Reached> {
    try {
      return await this.next(task, most);
    } catch (error) {
      // A new index that is damaged again is not the fault to mend.
      if (this.hasRecreated || !isIndexCorrupt(error)) throw error;
      this.hasRecreated = true;
      return { task: await this.recreate(task), documents: [], isDone: false };
    }
  }

  /** Empties an index that cannot be read, with a task for all records in its place. */
  async recreateDamaged(): Promise<void> {
    if (await this.index.isSound()) return;
    await this.unitOfWork.run(async (manager) => {
      await this.index.recreate(manager);
      await this.queue.add(manager, 'all', 0);
    });
  }

  /** @throws {LostTaskError} another process has begun anew */
  private recreate(task: IndexingTask): Promise<IndexingTask> {
    return this.unitOfWork.run(async (manager) => {
      await this.queue.finish(manager, task);
      await this.index.recreate(manager);
      return this.queue.addTaken(manager, 'all', 0);
    });
  }

  private async next(task: IndexingTask, most: number): Promise<Reached> {
    // What is written from now on is indexed by those who write it.
    const endAt = task.endAt ?? (await this.batches.lastId());
    const reached = await this.whileTypesStand(() => this.batch(task, endAt, most));
    await this.words.note(reached.documents.flatMap(textsOf));
    await this.words.keep();
    return reached;
  }

  /** Other writes wait for a unit of work, so long texts that are found in one are analysed before the next. */
  private async batch(task: IndexingTask, endAt: number, most: number): Promise<Reached> {
    const first = await this.unit(task, endAt, most, null);
    if (!Array.isArray(first)) return first;
    const prepared = new Map<number, PreparedText>();
    for (const { id, type, state } of first) prepared.set(id, await preparedText(type, state));
    return this.unit(task, endAt, most, prepared);
  }

  /** @param prepared `null`: where there are long texts, nothing is written and their records are the answer */
  private unit(task: IndexingTask, endAt: number, most: number, prepared: PreparedTexts): Promise<Reached>;
  private unit(task: IndexingTask, endAt: number, most: number, prepared: null): Promise<Reached | FoundRecord[]>;
  private unit(
    task: IndexingTask,
    endAt: number,
    most: number,
    prepared: PreparedTexts | null,
  ): Promise<Reached | FoundRecord[]> {
    return this.unitOfWork.run(async (manager) => {
      const batch = await this.batches.lock(manager, task, endAt, most);
      const long = prepared ? [] : batch.records.filter(({ type, state }) => isLong(type, state));
      if (long.length > 0) return long;
      const records = batch.records.map((record) => ({ ...record, prepared: prepared?.get(record.id) }));
      const documents = await documentsOf(manager, records);
      if (task.kind === 'term') await this.index.upsert(manager, documents);
      else await this.replace(manager, batch, documents);
      const position = batch.range.upTo;
      if (batch.isLast) await this.queue.finish(manager, task);
      else await this.queue.advance(manager, task, position, endAt);
      return { task: { ...task, position, endAt }, documents, isDone: batch.isLast };
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

  /** A type that was changed meanwhile is read anew, and so is what its records are found by. */
  private async whileTypesStand<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StaleTypeError)) throw error;
      }
    }
  }
}
