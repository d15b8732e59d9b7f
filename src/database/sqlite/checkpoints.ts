import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { LOG } from '../../common/logging/logging.module.js';
import { Writer } from '../statements/writer.js';
import { ThreadConnection } from '../reading-threads/thread-connection.js';

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

/** Has a thread write the log of SQLite back into the file: in a `COMMIT` that holds up all requests (docs/adr/0020). */
@Injectable()
export class Checkpoints implements OnApplicationBootstrap, OnModuleDestroy {
  private thread: CheckpointThread | undefined;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
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
      if (!this.thread) {
        const { size } = await stat(`${file}-wal`);
        if (size < START_BYTES) return false;
        this.thread = await CheckpointThread.start(file);
        await this.writeBackBy(NOT_BY_COMMITS);
      }
      return await this.thread.shorten((work) => this.writer.beforeNextBegin(work));
    } catch (err) {
      this.retryAt = performance.now() + RETRY_AFTER_MS;
      this.log.warn({ err }, 'checkpoints in a thread have failed, commits make them for a minute');
      await this.endThread();
      return false;
    }
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

interface Progress {
  /** 1: another connection was in the way. */
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/** Pages that are written back together, as many as SQLite does by itself. */
const BACKLOG_PAGES = 1_000;
/** A log of this length has to begin anew, which it does by itself as soon as a write finds all of it written back. */
const LONG_PAGES = 4_000;
/** A log of this length, which one large unit leaves behind, is truncated to 0 bytes. */
const HUGE_PAGES = 16_000;
/** Milliseconds that a RESTART or TRUNCATE, which writers wait for, waits for readers of earlier pages; and the pause afterwards. */
const BUSY_TIMEOUT_MS = 50;
const BUSY_PAUSE_MS = 1_000;

type HoldBegins = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Writes the log of SQLite back into the file, in a thread of its own. */
class CheckpointThread {
  /** Not before this time of `performance.now` have writers to wait again. */
  private pauseUntil = 0;

  private constructor(private readonly connection: ThreadConnection) {}

  /** @throws {Error} the file cannot be opened */
  static async start(file: string): Promise<CheckpointThread> {
    const connection = new ThreadConnection(file, 'checkpoints', { isReadOnly: false });
    try {
      // As the connection that writes: what leaves the log has reached the disk before.
      await connection.select('PRAGMA synchronous = FULL');
      await connection.select(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    } catch (error) {
      await connection.stop();
      throw error;
    }
    return new CheckpointThread(connection);
  }

  /**
   * Writes back what has gathered, if that is worth it. @param holdBegins runs work while no transaction may begin
   * @returns whether the log stays too long for now, since a reader needs its pages
   * @throws {Error} the thread has ended, or the file cannot be written
   */
  async shorten(holdBegins: HoldBegins): Promise<boolean> {
    let progress = await this.checkpoint('NOOP');
    if (progress.log - progress.checkpointed >= BACKLOG_PAGES) progress = await this.checkpoint('PASSIVE');
    const isHuge = progress.log >= HUGE_PAGES;
    const isLong = progress.log >= LONG_PAGES && progress.checkpointed < progress.log;
    if (!isHuge && !isLong) return false;
    if (performance.now() < this.pauseUntil) return true;
    const { busy } = await holdBegins(() => this.checkpoint(isHuge ? 'TRUNCATE' : 'RESTART'));
    if (busy) this.pauseUntil = performance.now() + BUSY_PAUSE_MS;
    return busy !== 0;
  }

  stop(): Promise<void> {
    return this.connection.stop();
  }

  private async checkpoint(mode: 'NOOP' | 'PASSIVE' | 'RESTART' | 'TRUNCATE'): Promise<Progress> {
    const [progress] = await this.connection.select<Progress>(`PRAGMA wal_checkpoint(${mode})`);
    return progress ?? { busy: 0, log: 0, checkpointed: 0 };
  }
}
