import type { OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { single, type Counter, type Labels, type Metrics } from '../../metrics/metrics.js';
import { RateWindows, type Count, type WindowKey } from '../rate-windows.js';
import type { SlidingWindows } from '../sliding-windows.js';
import type { RedisWindows } from './redis-windows.js';
import { CircuitBreaker } from '../../concurrency/circuit-breaker.js';

/**
 * Counts for all instances together, in Redis. Each counts for itself as well: while Redis is away, slow or at rest, the
 * limits are those of one instance, and no request fails or waits for it longer than fifty milliseconds.
 */
export class SharedWindows extends RateWindows implements OnApplicationShutdown {
  private readonly breaker = new CircuitBreaker();
  private readonly unanswered: Counter<Labels>;

  constructor(
    private readonly local: SlidingWindows,
    private readonly redis: RedisWindows,
    private readonly log: Logger,
    metrics: Metrics,
  ) {
    super();
    this.unanswered = metrics.counter({
      name: 'cms_redis_unanswered_total',
      help: 'Requests that were counted by this instance alone, since Redis did not answer in time.',
      labels: [],
    });
    metrics.gauge({ name: 'cms_redis_up', help: 'Whether Redis is asked at present.', labels: [] }, () =>
      single(this.breaker.isOn ? 0 : 1),
    );
  }

  override async draw(keys: readonly WindowKey[]): Promise<readonly Count[]> {
    const own = this.local.drawNow(keys);
    // What is too much for one instance is too much for all of them.
    if (isRefused(own)) return own;
    const shared = await this.ask(() => this.redis.draw(keys));
    if (shared === null) return own;
    if (isRefused(shared)) this.local.giveBackNow(keys);
    return shared;
  }

  override async look(keys: readonly WindowKey[]): Promise<readonly Count[]> {
    const own = this.local.lookNow(keys);
    return isRefused(own) ? own : ((await this.ask(() => this.redis.look(keys))) ?? own);
  }

  override async giveBack(keys: readonly WindowKey[]): Promise<void> {
    this.local.giveBackNow(keys);
    await this.ask(() => this.redis.giveBack(keys));
  }

  onApplicationShutdown(): void {
    this.redis.close();
  }

  private async ask<Answer>(question: () => Promise<Answer>): Promise<Answer | null> {
    if (this.breaker.isOn) return null;
    try {
      const answer = await question();
      if (this.breaker.succeeded())
        this.log.info('Redis answers again: requests are counted for all instances together');
      return answer;
    } catch (error) {
      this.unanswered.add({});
      if (this.breaker.failed()) {
        const reason = error instanceof Error ? error.message : String(error);
        this.log.warn({ reason }, 'Redis does not answer: each instance counts requests for itself');
      }
      return null;
    }
  }
}

function isRefused(counts: readonly Count[]): boolean {
  return counts.some(({ isBlocked }) => isBlocked);
}
