import { isTooSlow } from '../database-error.js';
import type { Reader } from '../statements/reads.js';
import type { SqlValue } from '../statements/statement.js';
import type { Heartbeats } from './heartbeats.js';
import type { Replica } from './replica.js';

/** How long a move waits for reads under way on the former server, milliseconds. */
const DRAIN_MS = 1_000;
/** Pause after a move that was given up, milliseconds. */
const PAUSE_MS = 10_000;

/**
 * Sticky reads of a group of callers: all of them read one server at a time, so that none sees an older state than
 * before (ADR 38). That is the first fit replica in their order, otherwise the server that is written to. An unfit
 * replica is left at once. A replica is entered when it has all that the group may have read elsewhere; reads that
 * arrive meanwhile wait for that.
 */
export class ReplicaAffinity implements Reader {
  /** `null`: the server that is written to. */
  private replica: Replica | null = null;
  private readonly underWay = new Set<Promise<unknown>>();
  private move: Promise<void> | null = null;
  private pauseUntil = -Infinity;

  /**
   * @param order of the replicas, the home of the callers first
   * @param writer reads the server that is written to
   */
  constructor(
    private readonly order: readonly Replica[],
    private readonly writer: Reader,
    private readonly heartbeats: Heartbeats,
  ) {}

  /** The replica that is read; `null`: the server that is written to is. */
  get current(): Replica | null {
    return this.replica;
  }

  /**
   * @throws as the server that is written to; also where a replica takes too long for a statement, which then would take
   *   long there, too
   */
  async select<Row>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    while (this.move !== null) await this.move;
    this.leaveUnfit();
    const { replica } = this;
    if (replica === null) return this.follow(this.writer.select<Row>(sql, values));
    try {
      return await this.follow(replica.select<Row>(sql, values));
    } catch (error) {
      if (isTooSlow(error)) throw error;
      replica.rest();
      return this.select(sql, values);
    }
  }

  /** Moves to the first replica in order that is fit, where that is another one. To be called now and then. */
  async settle(): Promise<void> {
    this.leaveUnfit();
    const best = this.order.find(({ isFit }) => isFit) ?? null;
    if (best === null || best === this.replica || performance.now() < this.pauseUntil) return;
    this.pauseUntil = performance.now() + PAUSE_MS;
    // At first while reads go on: the second time, when they wait, takes about as long.
    if ((await this.passes(best)) && (await this.moveTo(best))) this.pauseUntil = -Infinity;
  }

  private async moveTo(replica: Replica): Promise<boolean> {
    let end: () => void = () => undefined;
    this.move = new Promise((resolve) => (end = resolve));
    try {
      if (!(await this.drained()) || !(await this.passes(replica))) return false;
      this.replica = replica;
      return true;
    } finally {
      this.move = null;
      end();
    }
  }

  /** Whether a replica has by now what was committed before this question. */
  private async passes(replica: Replica): Promise<boolean> {
    return replica.reaches(await this.heartbeats.beat());
  }

  /** Waits until nothing is being read. */
  private async drained(): Promise<boolean> {
    const limit = new AbortController();
    const late = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => {
        resolve(false);
      }, DRAIN_MS);
      limit.signal.addEventListener('abort', () => {
        clearTimeout(timer);
      });
    });
    const all = Promise.allSettled([...this.underWay]).then(() => true);
    return Promise.race([all, late]).finally(() => {
      limit.abort();
    });
  }

  private leaveUnfit(): void {
    if (this.replica?.isFit === false) this.replica = null;
  }

  private follow<Row>(read: Promise<Row[]>): Promise<Row[]> {
    this.underWay.add(read);
    const end = (): void => {
      this.underWay.delete(read);
    };
    read.then(end, end);
    return read;
  }
}
