/** Decides which jobs this instance of the service does for all instances on its database. */
export abstract class JobLocks {
  /**
   * Runs work if this instance has the lock or can take it, and keeps the lock until the instance ends.
   * @param work its signal is aborted with `signal`, and as soon as another instance may have the lock
   */
  abstract run(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void>;

  abstract giveBack(): void;
}
