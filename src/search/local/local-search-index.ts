import type { OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DerivedIndexReport } from '../../common/derived-indexes.js';
import { JobQueue } from '../../common/jobs/job-queue.js';
import { asUnavailable } from '../../database/database-error.js';
import { FileSlot } from '../../database/local-files/file-slot.js';
import type { Reads } from '../../database/statements/reads.js';
import type { FulltextSearchIndex } from '../fulltext/fulltext-search-index.js';
import { ChangeLag, stateByLag, UNKNOWN_LAG } from '../changes/change-lag.js';
import { DerivedSearchIndex } from '../derived-search-index.js';
import type { SearchRequest, SearchResult } from '../search-index.js';
import { StaleReadError } from './document-rows.js';
import { isBeyondRepair, LocalCopy, NoRowIdError } from './local-copy.js';
import { LocalFile } from './local-file.js';
import { RetryPause } from './retry-pause.js';

const EVERY_MS = 1_000;
/** For every millisecond of copying: half of the time is for others. */
const PAUSE_PER_MS = 1;
/** After a failure of the database. */
const MOST_PAUSE_MS = 30_000;
/** After a failure of the file, which then has to be built. */
const MOST_PAUSE_OF_FILE_MS = 600_000;

/** What a local index is made of, and where. */
export interface LocalSources {
  readonly reads: Reads;
  /** What records are found by on the server. */
  readonly database: FulltextSearchIndex;
  /** Folder for the files of all processes. */
  readonly folder: string;
  /** The time by the clock of the database, as SQL. */
  readonly now: string;
  readonly log: Logger;
}

/** Full-text search of a server in a file of this process, and as long as there is none, by the server itself. */
export class LocalSearchIndex extends DerivedSearchIndex implements OnModuleDestroy {
  private readonly jobs: JobQueue;
  private slot: FileSlot | null = null;
  private file: LocalFile | null = null;
  private copy: LocalCopy | null = null;
  /** The copy that is complete, and has been brought up to date once. */
  private ready: LocalCopy | null = null;
  private discarded: Promise<void> = Promise.resolve();
  private isGivenUp = false;
  private readonly pause = new RetryPause();
  private readonly lag: ChangeLag;

  constructor(private readonly sources: LocalSources) {
    super(sources.database);
    this.lag = new ChangeLag(sources.reads, sources.now);
    this.jobs = new JobQueue(
      sources.log,
      'the local search index could not be kept up; the database is searched',
      asUnavailable,
    );
  }

  /** Makes the file in the background and keeps it up. Processes that answer no searches do without. */
  start(): void {
    void this.jobs.start(() => this.maintain());
    this.jobs.every(EVERY_MS, () => this.maintain());
  }

  /** Whether searches are answered here. */
  get isReady(): boolean {
    return this.ready !== null;
  }

  async onModuleDestroy(): Promise<void> {
    await this.jobs.stop();
    await this.copy?.stop();
    await this.discarded;
    await this.file?.close();
    this.slot?.release();
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    return (await this.searchHere(request)) ?? this.database.search(request);
  }

  /** Of the file of this process, whatever others have. */
  async report(): Promise<DerivedIndexReport> {
    const { ready } = this;
    const isFailed = this.isGivenUp || !this.pause.isOver;
    const lag = ready ? await this.lag.since(ready.lastRow) : UNKNOWN_LAG;
    const state = isFailed ? 'unreachable' : 'building';
    return { name: 'local', state: ready ? stateByLag(lag) : state, reason: null, ...lag };
  }

  /** @returns `null`: not now */
  private async searchHere(request: SearchRequest): Promise<SearchResult | null> {
    const { ready } = this;
    if (!ready) return null;
    try {
      return await ready.search(request);
    } catch (error) {
      if (this.ready !== ready || error instanceof StaleReadError) return null;
      if (!isBeyondRepair(error)) throw error;
      await this.drop(ready, error);
      return null;
    }
  }

  /** Makes the file, or takes over what was changed. Runs once at a time. */
  async maintain(): Promise<void> {
    if (this.isGivenUp || !this.pause.isOver) return;
    let { copy } = this;
    try {
      await this.discarded;
      copy ??= this.copy = await this.open();
      if (copy) await this.catchUp(copy);
    } catch (error) {
      if (!isBeyondRepair(error)) {
        this.pause.begin(MOST_PAUSE_MS);
        throw error;
      }
      await this.drop(copy, error);
    }
  }

  private async open(): Promise<LocalCopy | null> {
    this.slot ??= FileSlot.take(this.sources.folder);
    if (!this.slot) {
      this.sources.log.warn(
        { folder: this.sources.folder },
        'too many processes share a folder: this one has no local search index',
      );
      this.pause.begin(MOST_PAUSE_OF_FILE_MS);
      return null;
    }
    this.file ??= new LocalFile(this.slot.file);
    return LocalCopy.open(this.file, {
      reads: this.sources.reads,
      identify: () => this.database.noteNothing(),
      isStopping: () => this.jobs.isStopping,
    });
  }

  private async catchUp(copy: LocalCopy): Promise<void> {
    if (!copy.isComplete) await this.build(copy);
    const isCurrent = await copy.follow();
    // A search may have dropped it meanwhile.
    if (!isCurrent || !copy.isComplete || this.copy !== copy) return;
    this.pause.reset();
    if (this.ready !== copy) this.sources.log.info({ file: this.file?.path }, 'the local search index is ready');
    this.ready = copy;
  }

  private async build(copy: LocalCopy): Promise<void> {
    this.sources.log.info({ file: this.file?.path }, 'building the local search index');
    while (!copy.isComplete && !this.jobs.isStopping) {
      const from = performance.now();
      await copy.follow();
      await copy.copyNext();
      await sleep((performance.now() - from) * PAUSE_PER_MS);
    }
  }

  /** The server answers until there is another file. Of several failures of one copy the first one counts. */
  private async drop(copy: LocalCopy | null, err: unknown): Promise<void> {
    if (this.copy !== copy) return;
    this.copy = this.ready = null;
    this.pause.begin(MOST_PAUSE_OF_FILE_MS);
    this.isGivenUp = err instanceof NoRowIdError;
    if (this.isGivenUp) this.sources.log.error({ err }, 'the local search index is given up; the database is searched');
    else this.sources.log.warn({ err }, 'the local search index is made anew');
    this.discarded = this.discard(copy);
    await this.discarded;
  }

  private async discard(copy: LocalCopy | null): Promise<void> {
    try {
      await copy?.stop();
      await this.file?.discard();
    } catch {
      // A file that cannot be removed is removed before the next one is made, and that failure names the cause.
    }
  }
}
