import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp } from '../support/test-app.js';

interface Parties {
  readonly service: TestApp;
  /** Of a record with a number `n`. */
  readonly path: string;
  /** Token that counts the number up, and reads it after each time. */
  readonly writer: string;
  /** Tokens that only read. */
  readonly readers: readonly string[];
}

/** What was wrong in the meantime. */
export interface Seen {
  /** Statuses of answers that should have been 200. */
  readonly failed: readonly number[];
  /** Numbers that a reader saw after a greater one. */
  readonly backwards: readonly string[];
  /** Numbers that the writer saw and that were not the last one. */
  readonly staleWriter: readonly number[];
  /** How long a number had been written at most that a reader did not see. */
  readonly mostStaleMs: number;
}

/** A number that is counted up, and read all the time by several callers. */
export class Following {
  private readonly failed: number[] = [];
  private readonly backwards: string[] = [];
  private readonly staleWriter: number[] = [];
  /** When each number was acknowledged, the first of them before all reads. */
  private readonly written: { readonly n: number; readonly at: number }[] = [];
  private readonly counts = new Map<string, number>();
  private mostStaleMs = 0;
  private isOver = false;
  private readonly running: Promise<unknown>;

  private constructor(private readonly parties: Parties) {
    this.running = Promise.all([this.write(), ...parties.readers.map((token) => this.read(token))]);
  }

  static start(parties: Parties): Following {
    return new Following(parties);
  }

  /** Waits until each reader has read so many times more. */
  async reads(times: number): Promise<void> {
    const before = new Map(this.counts);
    const isDone = (token: string) => (this.counts.get(token) ?? 0) >= (before.get(token) ?? 0) + times;
    while (!this.parties.readers.every(isDone)) await sleep(20);
  }

  async end(): Promise<Seen> {
    this.isOver = true;
    await this.running;
    const { failed, backwards, staleWriter, mostStaleMs } = this;
    return { failed, backwards, staleWriter, mostStaleMs };
  }

  private async write(): Promise<void> {
    const { service, path, writer } = this.parties;
    for (let n = (await this.shown(writer)) + 1; !this.isOver; n += 1) {
      const { status } = await service.http(writer).put(path).send({ n });
      if (status !== 200) this.failed.push(status);
      this.written.push({ n, at: performance.now() });
      const own = await this.shown(writer);
      if (own !== n) this.staleWriter.push(own);
      await sleep(20);
    }
  }

  private async read(token: string): Promise<void> {
    for (let last = -Infinity; !this.isOver;) {
      const askedAt = performance.now();
      const n = await this.shown(token);
      if (n < last) this.backwards.push(`${n} after ${last}`);
      last = n;
      const missed = this.written.find((one) => one.n > n);
      if (missed) this.mostStaleMs = Math.max(this.mostStaleMs, askedAt - missed.at);
      this.counts.set(token, (this.counts.get(token) ?? 0) + 1);
    }
  }

  /** NaN where the answer was a failure. */
  private async shown(token: string): Promise<number> {
    const { service, path } = this.parties;
    const { status, body } = await service.http(token).get(path);
    if (status === 200) return body.data.n as number;
    this.failed.push(status);
    return Number.NaN;
  }
}
