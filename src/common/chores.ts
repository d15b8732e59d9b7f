import type { Logger } from 'pino';
import { inBackground } from './background.js';
import { ERROR_STATUS } from './errors/catalogue.js';
import { DomainError } from './errors/domain-error.js';
import { reasonOf } from './errors/reason.js';

/** Background jobs of a feature, one at a time; a failure is logged and does not stop the others. */
export class Chores {
  private readonly timers: NodeJS.Timeout[] = [];
  private running: Promise<void> = Promise.resolve();
  private isOver = false;

  /**
   * @param failure what the log says when one of them fails
   * @param translate says of a failure that it is none of the work, such as a database that is gone
   */
  constructor(
    private readonly log: Logger,
    private readonly failure: string,
    private readonly translate: (error: unknown) => DomainError | null,
  ) {}

  /** Whether work that takes its time has to end now, since {@link stop} waits for it. */
  get isStopping(): boolean {
    return this.isOver;
  }

  /** Does something once, as soon as its turn comes. */
  start(work: () => Promise<unknown>): Promise<void> {
    this.running = this.running.then(() => this.attempt(work));
    return this.running;
  }

  /**
   * Does something again and again. What takes longer than `ms` is not asked for twice.
   *
   * @param ms milliseconds between two beginnings
   */
  every(ms: number, work: () => Promise<unknown>): void {
    let isDue = false;
    const timer = setInterval(() => {
      if (isDue) return;
      isDue = true;
      void this.start(work).then(() => (isDue = false));
    }, ms);
    this.timers.push(timer.unref());
  }

  /** Begins nothing more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.isOver = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.running;
  }

  private async attempt(work: () => Promise<unknown>): Promise<void> {
    if (this.isOver) return;
    try {
      await inBackground(work);
    } catch (err) {
      this.tell(err);
    }
  }

  /** As of a request: what cannot be done for a time is no defect, and is one line without a stack. */
  private tell(err: unknown): void {
    const error = err instanceof DomainError ? err : this.translate(err);
    const isRefusal = error !== null && ERROR_STATUS[error.error] === 503;
    if (isRefusal) this.log.warn({ error: error.error, ...reasonOf(error) }, this.failure);
    else this.log.error({ err }, this.failure);
  }
}
