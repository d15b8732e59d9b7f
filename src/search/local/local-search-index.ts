import type { OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { Chores } from '../../common/chores.js';
import { asUnavailable } from '../../database/database-error.js';
import { FileSlot } from '../../database/local-files/file-slot.js';
import type { Reads } from '../../database/reads.js';
import type { FulltextSearchIndex } from '../fulltext/fulltext-search-index.js';
import {
  SearchIndex,
  type IdRange,
  type SearchDocument,
  type SearchRequest,
  type SearchResult,
} from '../search-index.js';
import { isBeyondRepair, LocalCopy } from './local-copy.js';
import { LocalFile } from './local-file.js';

const EVERY_MS = 1_000;
/** For every millisecond of copying: half of the time is for others. */
const PAUSE_PER_MS = 1;
/** After a failure, and twice as long after each one that follows. */
const FIRST_RETRY_MS = 5_000;
const MOST_RETRY_MS = 600_000;

/** What a local index is made of, and where. */
export interface LocalSources {
  readonly reads: Reads;
  /** What records are found by on the server. */
  readonly database: FulltextSearchIndex;
  /** Folder for the files of all processes. */
  readonly folder: string;
  readonly log: Logger;
}

/** Full-text search of a server in a file of this process, and as long as there is none, by the server itself. */
export class LocalSearchIndex extends SearchIndex implements OnModuleDestroy {
  private readonly chores: Chores;
  private slot: FileSlot | null = null;
  private file: LocalFile | null = null;
  private copy: LocalCopy | null = null;
  /** The copy that is complete, and has been brought up to date once. */
  private ready: LocalCopy | null = null;
  private retryMs = FIRST_RETRY_MS;
  /** On the clock that never jumps. */
  private retryAt = 0;

  constructor(private readonly sources: LocalSources) {
    super();
    this.chores = new Chores(
      sources.log,
      'the local search index could not be kept up; the database is searched',
      asUnavailable,
    );
  }

  /** Makes the file in the background and keeps it up. Processes that answer no searches do without. */
  start(): void {
    void this.chores.start(() => this.keepUp());
    this.chores.every(EVERY_MS, () => this.keepUp());
  }

  /** Whether searches are answered here. */
  get isReady(): boolean {
    return this.ready !== null;
  }

  async onModuleDestroy(): Promise<void> {
    await this.chores.stop();
    await this.copy?.stop();
    await this.file?.close();
    this.slot?.release();
  }

  upsert(manager: EntityManager, documents: readonly SearchDocument[]): Promise<void> {
    return this.sources.database.upsert(manager, documents);
  }

  remove(manager: EntityManager, records: readonly { id: number; typeId: number }[]): Promise<void> {
    return this.sources.database.remove(manager, records);
  }

  replace(manager: EntityManager, typeId: number, range: IdRange, documents: readonly SearchDocument[]): Promise<void> {
    return this.sources.database.replace(manager, typeId, range, documents);
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    return (await this.searchHere(request)) ?? this.sources.database.search(request);
  }

  override tidy(): Promise<void> {
    return this.sources.database.tidy();
  }

  /** @returns `null`: not now */
  private async searchHere(request: SearchRequest): Promise<SearchResult | null> {
    const { ready } = this;
    if (!ready) return null;
    try {
      return await ready.search(request);
    } catch (error) {
      if (this.ready !== ready) return null;
      if (!isBeyondRepair(error)) throw error;
      await this.drop(error);
      return null;
    }
  }

  private async keepUp(): Promise<void> {
    if (performance.now() < this.retryAt) return;
    try {
      this.copy ??= await this.open();
      if (this.copy) await this.bringUp(this.copy);
    } catch (error) {
      if (!isBeyondRepair(error)) {
        this.waitForRetry();
        throw error;
      }
      await this.drop(error);
    }
  }

  private async open(): Promise<LocalCopy | null> {
    this.slot ??= FileSlot.take(this.sources.folder);
    if (!this.slot) {
      this.sources.log.warn(
        { folder: this.sources.folder },
        'too many processes share a folder: this one has no local search index',
      );
      this.waitForRetry();
      return null;
    }
    this.file = new LocalFile(this.slot.file);
    return LocalCopy.open(this.file, this.sources.reads, () => this.sources.database.noteNothing());
  }

  private async bringUp(copy: LocalCopy): Promise<void> {
    if (!copy.isComplete) await this.build(copy);
    await copy.follow();
    if (!copy.isComplete) return;
    this.retryMs = FIRST_RETRY_MS;
    if (this.ready !== copy) this.sources.log.info({ file: this.file?.path }, 'the local search index is ready');
    this.ready = copy;
  }

  private async build(copy: LocalCopy): Promise<void> {
    this.sources.log.info({ file: this.file?.path }, 'building the local search index');
    while (!copy.isComplete && !this.chores.isStopping) {
      const from = performance.now();
      await copy.follow();
      await copy.copyNext();
      await sleep((performance.now() - from) * PAUSE_PER_MS);
    }
  }

  /** The server answers until there is another file. */
  private async drop(err: unknown): Promise<void> {
    const { copy, file } = this;
    this.copy = this.ready = null;
    this.waitForRetry();
    this.sources.log.warn({ err }, 'the local search index is made anew');
    await copy?.stop();
    await file?.discard();
  }

  private waitForRetry(): void {
    this.retryAt = performance.now() + this.retryMs;
    this.retryMs = Math.min(MOST_RETRY_MS, this.retryMs * 2);
  }
}
