/** A statement of better-sqlite3, as far as programs of reading threads use it. */
interface ThreadStatement {
  /** Rows as arrays from now on. */
  raw(): ThreadStatement;
  all(...values: readonly unknown[]): unknown[];
  get(...values: readonly unknown[]): unknown;
  /** Of a statement that writes, in a thread that may. */
  run(...values: readonly unknown[]): unknown;
}

/** The file as a program in a thread has it: one state of it, as long as the program runs. What fails is undone. */
export interface ThreadFile {
  /** Another text for any other state. */
  readonly state: string;
  /** Compiled once for each text. */
  readonly prepare: (sql: string) => ThreadStatement;
}

/**
 * The export of a module that runs in a reading thread. Argument and result are copied between threads, so they are
 * plain values: an instance would arrive without its methods.
 */
export type ThreadProgram<Argument, Result> = (file: ThreadFile, argument: Argument) => Result;
