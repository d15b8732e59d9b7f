import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { LOG } from '../../common/logging/logging.module.js';
import { Writer } from '../statements/writer.js';
import { CheckpointThread } from './checkpoint-thread.js';

/** Bytes of the log; a service that writes less needs no thread. */
const START_BYTES = 2 * 1_048_576;
/** Between a commit and a look at the log. */
const LOOK_AFTER_MS = 50;
/** Between two looks at a log that a reader keeps long. */
const LONG_EVERY_MS = 1_000;
/** The time in which commits do the work of the thread after it has failed. */
const RETRY_AFTER_MS = 60_000;
/** Pages after which a commit writes back by itself: the default of SQLite, and never. */
const BY_COMMITS = 1_000;
const NOT_BY_COMMITS = 0;

/**
 * Has the write-ahead log of SQLite written back into the file by a thread. A `COMMIT`, in which SQLite would do it,
 * holds up all requests meanwhile (docs/adr/0020). Without the thread commits do it.
 */
@Injectable()
export class Checkpoints implements OnApplicationBootstrap, OnModuleDestroy {
  private thread: CheckpointThread | undefined;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  /** Commits since the last look. */
  private commits = 0;
  private isOver = false;
  /** On the clock of `performance.now`. */
  private retryAt = 0;

  constructor(
    private readonly writer: Writer,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const file = this.writer.dialect.fileForThreads;
    if (file === null) return;
    this.writer.afterCommits(() => {
      this.commits += 1;
      if (!this.looking) this.lookAfter(LOOK_AFTER_MS, file);
    });
  }

  /** Ends the checkpoints: later commits are written back by commits themselves. */
  async onModuleDestroy(): Promise<void> {
    this.isOver = true;
    clearTimeout(this.timer);
    await this.looking;
    await this.endThread();
  }

  private lookAfter(ms: number, file: string): void {
    if (this.timer || this.isOver || performance.now() < this.retryAt) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.looking = this.look(file).catch((err: unknown) => {
        this.log.error({ err }, 'the log of the database could not be looked at');
      });
    }, ms).unref();
  }

  private async look(file: string): Promise<void> {
    this.commits = 0;
    const isLong = await this.shorten(file).finally(() => (this.looking = undefined));
    if (this.commits > 0) this.lookAfter(LOOK_AFTER_MS, file);
    else if (isLong) this.lookAfter(LONG_EVERY_MS, file);
  }

  private async shorten(file: string): Promise<boolean> {
    try {
      if (!this.thread && !(await isWorthAThread(file))) return false;
      this.thread ??= await this.startThread(file);
      return await this.thread.shorten((work) => this.writer.beforeNextBegin(work));
    } catch (err) {
      this.retryAt = performance.now() + RETRY_AFTER_MS;
      this.log.warn({ err }, 'checkpoints in a thread have failed, commits make them for a minute');
      await this.endThread();
      return false;
    }
  }

  private async startThread(file: string): Promise<CheckpointThread> {
    const thread = await CheckpointThread.start(file);
    await this.writeBackBy(NOT_BY_COMMITS);
    return thread;
  }

  private async endThread(): Promise<void> {
    if (!this.thread) return;
    await this.writeBackBy(BY_COMMITS);
    await this.thread.stop();
    this.thread = undefined;
  }

  private async writeBackBy(pages: number): Promise<void> {
    await this.writer.source.query(`PRAGMA wal_autocheckpoint = ${pages}`);
  }
}

async function isWorthAThread(file: string): Promise<boolean> {
  const { size } = await stat(`${file}-wal`);
  return size >= START_BYTES;
}
