import type { DataSourceOptions, EntityManager, FindOneOptions, QueryRunner } from 'typeorm';

export type SqlValue = string | number | bigint | Buffer | null;

export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Tables whose rows are held still by units of work. */
export type HeldTable = 'api_tokens' | 'app_secret' | 'content_types' | 'taxonomies' | 'terms' | 'users';

/** Pauses before a lock of the whole file is tried again: random, so that processes that wait do not try together. */
export const LOCK_PAUSES_MS = { shortest: 3, longest: 23 } as const;

/** The abilities of one kind of database. Features ask for a capability and never for the name of the database. */
export abstract class Dialect {
  /** The place of the data, for people: never with a password. */
  abstract readonly label: string;
  /** The name of the kind of database in OpenTelemetry. A MariaDB is asked as a MySQL, and called so. */
  abstract readonly system: 'mysql' | 'sqlite';
  /** True if writers wait for each other anyway, so that a counter row costs nothing and deltas gain nothing. */
  abstract readonly hasOneWriter: boolean;
  /**
   * Ends a `SELECT` in a unit of work: others cannot change what it read until the unit ends.
   * It has to read a column without an index: MySQL and MariaDB lock only what they read.
   */
  abstract readonly lockInShareMode: string;
  /** Ends a `SELECT` in a unit of work that then writes those rows. If the unit does not write them, {@link hold} locks them. */
  abstract readonly lockForUpdate: string;
  /** {@link lockForUpdate} as a part of the options of `find`. */
  abstract readonly forUpdate: Pick<FindOneOptions, 'lock'>;
  /** The time by the clock of the database: milliseconds since 1970, UTC. One clock for all processes, where it is a server. */
  abstract readonly now: string;
  /** A join whose tables are read in the order they are written in. */
  abstract readonly orderedJoin: string;
  /** Stands behind a table that is to be read by this index, whatever statistics say. */
  abstract byIndex(name: string): string;
  /** Begins an `INSERT` that passes over rows whose key is taken. */
  abstract readonly insertOrIgnore: string;

  /** The file that a thread may open for long queries, which would hold up the process; `null`: a server does the work. */
  abstract readonly fileForThreads: string | null;

  /** Ends an `INSERT` of numbers: where the key is taken, they are added to what is there. */
  abstract addingTo(column: string, keys: readonly string[]): string;

  abstract writerOptions(): DataSourceOptions;
  /** Options of the connections that only read. They never see what is not yet committed. */
  abstract readerOptions(): DataSourceOptions;
  /** Options of a connection that keeps others out, or cannot be opened while they are in, where the database can do that. */
  soleOptions(): DataSourceOptions {
    return this.writerOptions();
  }

  /** Locks rows until the unit of work ends. Of units that hold the same rows, one is committed after the other. */
  abstract hold(manager: EntityManager, table: HeldTable, which: Condition): Promise<void>;

  /**
   * @param until when waiting for other processes ends, in the milliseconds of `performance.now()`
   * @throws {DomainError} `overloaded`: another process has locked the database for longer than that
   */
  abstract begin(runner: QueryRunner, until?: number): Promise<void>;
  /**
   * @throws {DomainError} `outcome_unknown`: the server has not answered. Any other failure leaves nothing, once it is undone.
   */
  abstract commit(runner: QueryRunner): Promise<void>;
  abstract rollback(runner: QueryRunner): Promise<void>;

  /** Begins a transaction that sees the whole database as it is at this moment, whatever others write. Ends with `rollback`. */
  abstract beginSnapshot(runner: QueryRunner): Promise<void>;
  /** Counts the other connections to the database, as far as the database shows them. */
  abstract othersConnected(runner: QueryRunner): Promise<number>;
  /** Reads a `double` with all of its digits: as a number, or as text. */
  abstract exactDouble(column: string): string;
  /** The condition for rows after a key, in the order of its columns; written so that their index leads there. */
  abstract comesAfter(columns: readonly string[], key: readonly SqlValue[]): Condition;

  /** A statement that deletes `most` of the rows at most; `null`: a server deletes all at once and goes on answering. */
  abstract deletionOf(table: string, condition: string, most: number): string | null;

  /** The id that a table hands out next: greater than any that it ever had, whether that row is still there or not. */
  abstract nextId(runner: QueryRunner, table: string): Promise<number>;

  /** Runs `work` while no other process of this database does. */
  abstract exclusively<Result>(runner: QueryRunner, work: () => Promise<Result>): Promise<Result>;
  /** Lets the planner learn what changed; cheap when nothing did. MySQL and MariaDB keep their statistics by themselves. */
  refreshStatistics(_: QueryRunner): Promise<void> {
    return Promise.resolve();
  }
  /** Lets the planner learn about tables that have grown tenfold, without holding up this thread. */
  renewStatistics(): Promise<void> {
    return Promise.resolve();
  }
}
