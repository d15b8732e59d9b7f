import { ownTurn } from './own-turn.js';

/**
 * Runs work once for all callers that ask for the same thing during an earlier run: the next run starts after they asked.
 * Each caller goes on in its own turn of the event loop: hundreds at once would hold it.
 */
export class CoalescedRuns<Value> {
  private readonly running = new Map<string, Promise<Value>>();
  private readonly waiting = new Map<string, Promise<Value>>();

  run(key: string, work: () => Promise<Value>): Promise<Value> {
    const joined = this.waiting.get(key);
    if (joined) return joined.finally(ownTurn);
    const current = this.running.get(key);
    if (!current) return this.start(key, work);
    const startNext = (): Promise<Value> => {
      this.waiting.delete(key);
      return this.start(key, work);
    };
    const next = current.then(startNext, startNext);
    this.waiting.set(key, next);
    return next;
  }

  private start(key: string, work: () => Promise<Value>): Promise<Value> {
    const run = work().finally(() => this.running.delete(key));
    this.running.set(key, run);
    return run;
  }
}
