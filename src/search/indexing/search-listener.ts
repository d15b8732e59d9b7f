import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TypeDefinition } from '../../content-types/definition/content-type.js';
import {
  RecordListeners,
  type PendingWrite,
  type RemovedRecord,
  type RecordChange,
  type RecordListener,
} from '../../records/writing/record-listeners.js';
import { TermListeners, type TermListener } from '../../taxonomy/terms/term-listeners.js';
import { KnownWords } from '../answers/known-words.js';
import { documentsOf, hasSameDocument, preparedText, type FoundRecord, type PreparedText } from './search-documents.js';
import { SearchIndex } from '../search-index.js';
import { IndexingQueue } from './indexing-queue.js';

/** Keeps the index in step with the records: a record can be found as soon as its write was answered. */
@Injectable()
export class SearchListener implements RecordListener, OnModuleInit {
  /** By the write that it was made for, and gone with it. */
  private readonly prepared = new WeakMap<PendingWrite, PreparedText>();

  constructor(
    private readonly records: RecordListeners,
    private readonly terms: TermListeners,
    private readonly index: SearchIndex,
    private readonly queue: IndexingQueue,
    private readonly words: KnownWords,
  ) {}

  onModuleInit(): void {
    this.records.add(this);
    const termListener: TermListener = { changed: (manager, ids) => this.termsChanged(manager, ids) };
    this.terms.add(termListener);
  }

  /** Analyses what is long. */
  async prepare(pending: PendingWrite): Promise<void> {
    this.prepared.set(pending, await preparedText(pending.type, pending.state));
  }

  async written(manager: EntityManager, changes: readonly RecordChange[]): Promise<void> {
    const records: FoundRecord[] = [];
    let areNew = true;
    for (const { type, id, before, after, createdAt, previous, pending } of changes) {
      if (before && hasSameDocument(type, before, after)) continue;
      records.push({ type, id, state: after, createdAt, prepared: pending && this.prepared.get(pending) });
      // A record that was never written before has nothing that would have to be replaced.
      areNew &&= previous === null;
    }
    if (records.length === 0) return;
    const documents = await documentsOf(manager, records);
    await (areNew ? this.index.add(manager, documents) : this.index.upsert(manager, documents));
    this.words.note(documents);
  }

  async trashed(manager: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    await this.index.remove(manager, records);
  }

  async removed(manager: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    await this.index.remove(
      manager,
      records.filter(({ wasTrashed }) => !wasTrashed),
    );
  }

  async typeChanged(manager: EntityManager, before: TypeDefinition, after: TypeDefinition): Promise<void> {
    if (searchableFields(before) !== searchableFields(after)) await this.queue.add(manager, 'type', after.id);
  }

  private async termsChanged(manager: EntityManager, termIds: readonly number[]): Promise<void> {
    for (const id of termIds) await this.queue.add(manager, 'term', id);
  }
}

function searchableFields({ fields }: TypeDefinition): string {
  return JSON.stringify(fields.filter(({ searchable }) => searchable).map(({ id, type }) => [id, type]));
}
