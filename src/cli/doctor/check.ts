import type { DataSource } from 'typeorm';
import type { Settings } from '../../config/settings.js';
import type { Dialect } from '../../database/dialect/dialect.js';

/** What a check found: one sentence, and where it is not well, what to do. */
export interface Seen {
  readonly ok: boolean;
  readonly message: string;
}

/** A database that is open for reading alone, with the tables of this version. */
export interface OpenDatabase {
  readonly source: DataSource;
  readonly dialect: Dialect;
  readonly settings: Settings;
}

/**
 * One thing that `doctor` looks at. It changes nothing. One that throws counts as failed, with its message,
 * and the others go on.
 */
export interface Check<Subject> {
  /** One word, the first column of the answer. */
  readonly name: string;
  /** Reads so much that it runs with `--deep` only. */
  readonly isDeep?: boolean;
  /** @param isDeep whether it may take its time and read all of the content */
  look(subject: Subject, isDeep: boolean): Promise<readonly Seen[]> | readonly Seen[];
}
