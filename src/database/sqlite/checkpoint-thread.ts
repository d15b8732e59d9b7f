import { ThreadConnection } from '../reading-threads/thread-connection.js';

/** Answer of `PRAGMA wal_checkpoint`. */
interface Progress {
  /** 1: another connection was in the way. */
  readonly busy: number;
  /** Pages in the write-ahead log, and how many of them are in the file as well. */
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

/** Writes the log of a file of SQLite back into the file, in a thread of its own. */
export class CheckpointThread {
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
   * Writes back what has gathered, if that is enough to be worth it.
   *
   * @param holdBegins runs work while no transaction of this process may begin
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
