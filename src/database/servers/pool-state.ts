/** Names of the pools of a service, in the order in which they are opened. */
export const POOLS = ['write', 'read'] as const;

/** The activity of the connections of a pool. */
export interface PoolState {
  readonly active: number;
  readonly idle: number;
  /** Busy with a statement that was not answered in time. */
  readonly held: number;
  readonly connecting: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** A pool, for the servers that it has connections to. */
export interface PoolMember {
  readonly state: PoolState;
  /** The breaker of the server has opened or closed. */
  hostChanged(): void;
  /** Aborts all statements. */
  abandon(): void;
}
