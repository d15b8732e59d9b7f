/** Decides which jobs this instance of the service does for all instances on its database. */
export abstract class JobLeases {
  /** Has the instance ask for a lease, again and again until the stop. */
  abstract seek(name: string): void;

  /**
   * Runs work if the instance has the lease; otherwise another one does it.
   *
   * @param work its signal is aborted with `signal`, and also as soon as another instance may have the lease. What it
   *   writes is committed only while the lease is held.
   */
  abstract run(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void>;

  /** Leaves all leases to other instances. */
  abstract giveBack(): Promise<void>;
}
