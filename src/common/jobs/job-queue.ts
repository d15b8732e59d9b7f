import type { Logger } from 'pino';
import { ERROR_STATUS } from '../errors/catalogue.js';
import { DomainError } from '../errors/domain-error.js';
import { reasonOf } from '../errors/reason.js';
import { inBackground } from './background.js';

/** Background work. It takes its time in steps and begins no further one once the signal is aborted. */
export type Work = (signal: AbortSignal) => Promise<unknown>;

/** Runs background work one at a time; a failure is logged and does not stop the work behind it. */
export class JobQueue {
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  /** @param failure for the log @param translate recognises a failure that is none of the work, such as a lost database */
  constructor(
    private readonly log: Logger,
    private readonly failure: string,
    private readonly translate: (error: unknown) => DomainError | null,
  ) {}

  /** True if work that takes its time has to end now, since {@link stop} waits for it. */
  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Runs work once, as soon as its turn comes. Never rejects. */
  start(work: Work, failure = this.failure): Promise<void> {
    this.running = this.running.then(() => this.attempt(work, failure));
    return this.running;
  }

  /** Runs work every `ms` milliseconds. Work that takes longer does not wait twice. */
  every(ms: number, work: Work, failure = this.failure): void {
    let isDue = false;
    const timer = setInterval(() => {
      if (isDue) return;
      isDue = true;
      void this.start(work, failure).then(() => (isDue = false));
    }, ms);
    this.timers.push(timer.unref());
  }

  /** Begins nothing more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers) clearInterval(timer);
    await this.running;
  }

  private async attempt(work: Work, failure: string): Promise<void> {
    if (this.isStopping) return;
    try {
      await inBackground(() => work(this.stopping.signal));
    } catch (err) {
      this.report(err, failure);
    }
  }

  /** As of a request: what cannot be done for a time is no defect, and is one line without a stack. */
  private report(err: unknown, failure: string): void {
    const error = err instanceof DomainError ? err : this.translate(err);
    const isRefusal = error !== null && ERROR_STATUS[error.error] === 503;
    if (isRefusal) this.log.warn({ error: error.error, ...reasonOf(error) }, failure);
    else this.log.error({ err }, failure);
  }
}
