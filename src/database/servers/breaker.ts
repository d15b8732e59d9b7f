import type { Connection, ConnectionOptions, PoolConnection } from 'mysql2';
import { isLeaving, isMissingTable } from '../dialect/database-error.js';
import { openConnection, socketOf } from './connecting.js';
import { END_WHEN_SILENT } from './session-settings.js';

/** Reads a table: a node that has lost its group answers what needs none. */
const PROBE = 'SELECT MAX(id) FROM migrations';
/** So many probes in a row without an answer show that a server hangs or is gone. */
const MAX_FAILURES = 5;
/** So many answers in a row show that it is there again. */
const GOOD_PROBES = 2;
/** An answer is awaited so long on one connection, which may lead to a server that is gone; then twice as long. */
const FIRST_PATIENCE_MS = 20_000;
const MAX_PATIENCE_MS = 80_000;

/**
 * Keeps requests from a server that does not answer, and probes it over one connection beside the pools. That is seldom
 * replaced: a server that hangs comes to all connections in the end.
 */
export class Breaker {
  private isDown = false;
  private failures = 0;
  private answers = 0;
  private line: Connection | null = null;
  /** In the milliseconds of `performance.now()`; `null`: nothing is asked. */
  private askedAt: number | null = null;
  private patienceMs = FIRST_PATIENCE_MS;

  /** @param opened is called each time that it has opened */
  constructor(
    private readonly options: ConnectionOptions,
    private readonly opened: () => void,
  ) {}

  get isOpen(): boolean {
    return this.isDown;
  }

  /** A statement was answered. That closes nothing: an old connection may answer when no new one is let in. */
  succeeded(): void {
    this.failures = 0;
  }

  /** Asks the server, or counts that it has not answered yet. */
  probe(): void {
    if (this.askedAt !== null) {
      this.failed();
      if (performance.now() - this.askedAt < this.patienceMs) return;
      this.patienceMs = Math.min(2 * this.patienceMs, MAX_PATIENCE_MS);
      this.close();
      return;
    }
    const line = this.connected();
    this.askedAt = performance.now();
    line.query(PROBE, (error) => {
      if (line !== this.line) return;
      // A new database has no tables yet.
      if (error === null || isMissingTable(error)) this.answered();
      else this.refused(error);
    });
  }

  /** Has the server end a connection. One that it knows nothing of, or another server by now, is forgotten. */
  end(connection: PoolConnection): void {
    const socket = socketOf(connection);
    const { remoteAddress } = socket;
    const forget = (error: Error | null): void => {
      if (error) socket.destroy();
    };
    const line = this.connected();
    line.ping((error) => {
      if (error || socketOf(line).remoteAddress !== remoteAddress) socket.destroy();
      else line.query(`KILL ${connection.threadId}`, forget);
    });
  }

  close(): void {
    const { line } = this;
    this.line = this.askedAt = null;
    if (line) socketOf(line).destroy();
  }

  private answered(): void {
    this.askedAt = null;
    this.patienceMs = FIRST_PATIENCE_MS;
    this.failures = 0;
    this.answers += 1;
    if (this.answers >= GOOD_PROBES) this.isDown = false;
  }

  private refused(error: Error): void {
    // Its address may lead to another server by now.
    this.close();
    // It lets connections in and says itself that it serves none of them.
    if (isLeaving(error)) this.failures = MAX_FAILURES;
    this.failed();
  }

  private failed(): void {
    this.answers = 0;
    this.failures += 1;
    if (this.isDown || this.failures < MAX_FAILURES) return;
    this.isDown = true;
    this.opened();
  }

  private connected(): Connection {
    if (this.line) return this.line;
    const line = (this.line = openConnection(this.options));
    const forget = (): void => {
      if (this.line === line) this.close();
    };
    line.on('error', forget);
    socketOf(line).once('close', forget).unref();
    line.query(END_WHEN_SILENT, () => undefined);
    return line;
  }
}
