import type { DataSourceOptions, QueryRunner } from 'typeorm';

/**
 * What one kind of database does in its own way.
 * Features ask for a capability and never for the name of the database.
 */
export abstract class Dialect {
  /** Where the data are, for people: never with a password. */
  abstract readonly label: string;
  /** Whether writers wait for each other anyway, so that a counter row costs nothing and deltas gain nothing. */
  abstract readonly hasOneWriter: boolean;
  /** Ends a `SELECT` inside a unit of work: what it read cannot be changed by others until the unit ends. */
  abstract readonly lockInShareMode: string;
  /** Ends a `SELECT` inside a unit of work: nobody else may read it for a write until the unit ends. */
  abstract readonly lockForUpdate: string;
  /** A join whose tables are read in the order they are written in. */
  abstract readonly orderedJoin: string;
  /** Begins an `INSERT` that passes over rows whose key is taken. */
  abstract readonly insertOrIgnore: string;

  /** Options of the connection that writes and migrates. */
  abstract writerOptions(): DataSourceOptions;
  /** Options of the connections that only read. They never see what is not yet committed. */
  abstract readerOptions(): DataSourceOptions;

  abstract begin(runner: QueryRunner): Promise<void>;
  abstract commit(runner: QueryRunner): Promise<void>;
  abstract rollback(runner: QueryRunner): Promise<void>;

  /** Runs `work` while no other process of this database does. */
  abstract exclusively<Result>(runner: QueryRunner, work: () => Promise<Result>): Promise<Result>;
  /** Lets the planner learn what changed; cheap when nothing did. */
  abstract refreshStatistics(runner: QueryRunner): Promise<void>;
}
