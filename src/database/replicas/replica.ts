import type { ConnectionOptions, PoolConnection, QueryError } from 'mysql2';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplicaAddress } from '../../config/values/database-replicas.js';
import { traced } from '../../common/tracing/traced.js';
import type { Span } from '../../common/tracing/tracing.js';
import { unreachable } from '../database-error.js';
import type { ClockReading } from '../servers/host.js';
import type { PoolState } from '../servers/pool-state.js';
import { ServerPool } from '../servers/server-pool.js';
import { Servers } from '../servers/servers.js';
import type { Reader } from '../statements/reads.js';
import type { SqlValue } from '../statements/statement.js';
import { ReplicaLag } from './replica-lag.js';

/** Waiting callers; more than that are refused as `overloaded`. */
const POOL_QUEUE = 2_000;
/** Longer than a probe takes to find that it hangs: its callers are not refused before that. */
const WAIT_MS = 5_000;
/** The driver gives up a little later than the server should have (`session-settings.ts`). */
const QUERY_TIMEOUT_MS = 15_000;
/** One that has failed is not read again before that. */
const REST_MS = 5_000;
const POLLED_EVERY_MS = 20;

/** How a replica is read. */
export interface ReplicaOptions {
  /** Connections at most. */
  readonly pool: number;
  /** One that is further behind is not read, milliseconds. */
  readonly maxLagMs: number;
  /** The last answer of the server that is written to; `null`: there was none yet. */
  readonly writer: () => ClockReading | null;
  /** Called after each statement that ended well. */
  readonly took: (sql: string, ms: number) => void;
  /** `undefined`: the statement belongs to no trace. */
  readonly spanOf: (sql: string) => Span | undefined;
}

/** A copy of the database that follows the server that is written to, with connections and a breaker of its own. */
export class Replica implements Reader {
  private readonly servers: Servers;
  private readonly pool: ServerPool;
  /** Its statements under way, aborted when it becomes unfit: their connections keep their places meanwhile. */
  private readonly asked = new Set<(reason: Error) => void>();
  private readonly lag = new ReplicaLag();
  private lagFound: number | null = null;
  private restUntil = -Infinity;

  /** @param base how connections to the server that is written to are opened */
  constructor(
    base: ConnectionOptions,
    private readonly address: ReplicaAddress,
    private readonly options: ReplicaOptions,
  ) {
    this.servers = new Servers([], () => {
      this.probed();
    });
    this.servers.connectTo({ ...base, ...address });
    this.pool = new ServerPool(this.servers, {
      size: options.pool,
      queue: POOL_QUEUE,
      waitMs: WAIT_MS,
      isWriting: false,
    });
    this.servers.watch();
  }

  get name(): string {
    return `${this.address.host}:${this.address.port}`;
  }

  /** How far it was behind at the last probe, milliseconds; `null`: it has not answered. */
  get lagMs(): number | null {
    return this.lagFound;
  }

  get isOpen(): boolean {
    return this.servers.isOpen;
  }

  get poolState(): PoolState {
    return this.pool.state;
  }

  /** Whether it may be read: it answers, and is not far behind. */
  get isFit(): boolean {
    if (this.lagFound === null || this.servers.isOpen) return false;
    return this.lagFound <= this.options.maxLagMs && performance.now() >= this.restUntil;
  }

  /** @throws the error of the server or the driver, or that it does not answer */
  select<Row>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return traced(this.options.spanOf(sql), this.answerTo<Row>(sql, values));
  }

  /** Has it not read for a while, since it has failed. */
  rest(): void {
    this.restUntil = performance.now() + REST_MS;
  }

  /** Waits until it has a heartbeat, and so all that was committed before, for as long as it may be behind. */
  async reaches(beat: number): Promise<boolean> {
    for (const until = performance.now() + this.options.maxLagMs; performance.now() < until;) {
      const [row] = await this.select<{ at: number | string | null }>('SELECT MAX(at) AS at FROM heartbeats');
      if (Number(row?.at ?? 0) >= beat) return true;
      await sleep(POLLED_EVERY_MS);
    }
    return false;
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.pool.end(resolve);
    });
  }

  private answerTo<Row>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const start = performance.now();
      const end = (error: Error | null, rows?: unknown): void => {
        this.asked.delete(reject);
        if (error) {
          reject(error);
          return;
        }
        this.options.took(sql, performance.now() - start);
        // What the caller says that the statement selects.
        resolve(rows as Row[]);
      };
      this.asked.add(reject);
      this.pool.getConnection((error, connection) => {
        if (connection === undefined) end(error ?? unreachable());
        // It was given up while it waited.
        else if (!this.asked.has(reject)) connection.release();
        else ask(connection, { sql, values }, end);
      });
    });
  }

  private probed(): void {
    this.lagFound = this.measured();
    if (this.isFit) return;
    for (const giveUp of this.asked) giveUp(unreachable());
    this.asked.clear();
  }

  private measured(): number | null {
    const { isAnswering = false, clock = null } = this.servers.host ?? {};
    const writer = this.options.writer();
    return isAnswering && clock !== null && writer !== null ? this.lag.measure(writer, clock.beat) : null;
  }
}

interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

function ask(
  connection: PoolConnection,
  { sql, values }: Statement,
  end: (error: QueryError | null, rows: unknown) => void,
): void {
  connection.query({ sql, timeout: QUERY_TIMEOUT_MS }, [...values], (error, rows) => {
    connection.release();
    end(error, rows);
  });
}
