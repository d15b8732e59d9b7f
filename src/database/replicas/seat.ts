import { isTooSlow } from '../database-error.js';
import type { Reader } from '../statements/reads.js';
import type { SqlValue } from '../statements/statement.js';
import type { Heartbeats } from './heartbeats.js';
import type { Replica } from './replica.js';

/** Longer than this a move does not wait for what is being read elsewhere. */
const DRAIN_MS = 1_000;
/** After a move that was given up the next one is not tried before that. */
const PAUSE_MS = 10_000;

/**
 * Some callers, all of whom read one server at a time, so that time never goes back for one of them (ADR 38): the first
 * replica in their order that is fit, otherwise the server that is written to. They leave a replica at once. They come to
 * one when it has all that they may have seen elsewhere; what is asked meanwhile waits for that.
 */
export class Seat implements Reader {
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
