import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteDriver } from '../dialect/sqlite-driver.js';

/** As much of a connection of better-sqlite3 as a lock needs. */
interface LockConnection {
  exec(sql: string): void;
  close(): void;
}

type LockConnector = new (file: string, options: { timeout: number }) => LockConnection;

/** Processes that may share a folder. */
const MOST = 8;

/**
 * A number of a folder that no other process has, for a file of its own. The lock of a file of SQLite stands for it: it
 * ends with the process, however that ends.
 */
export class FileSlot {
  private constructor(
    /** Path of the file, which need not exist. */
    readonly file: string,
    private readonly lock: LockConnection,
  ) {}

  /**
   * @returns the free slot with the lowest number; `null`: others have all of them
   * @throws {Error} the folder cannot be written
   */
  static take(folder: string): FileSlot | null {
    mkdirSync(folder, { recursive: true });
    // The driver is loaded by its name, so its type is not known.
    const Database = sqliteDriver() as LockConnector;
    for (let number = 1; number <= MOST; number += 1) {
      const path = join(folder, String(number));
      const lock = lockOf(new Database(`${path}.lock`, { timeout: 0 }));
      if (lock) return new FileSlot(`${path}.sqlite`, lock);
    }
    return null;
  }

  release(): void {
    this.lock.close();
  }
}

function lockOf(connection: LockConnection): LockConnection | null {
  try {
    connection.exec('BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection.close();
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
}
