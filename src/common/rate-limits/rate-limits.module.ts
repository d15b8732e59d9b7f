import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { Logger } from 'pino';
import { LoadLimit } from '../http/arriving/load-limit.js';
import { Metrics } from '../metrics/metrics.js';
import type { Budgets } from './budgets.js';
import { KeyedLimits } from './keyed-limits.js';
import { RateWindows } from './rate-windows.js';
import { RefusalCount } from './refusal-count.js';
import { RequestLimits, throttling } from './request-limits.js';
import { SlidingWindows } from './sliding-windows.js';

/** Where all instances of the service count together. */
export interface SharedCounting {
  /** Of Redis or Valkey. */
  readonly url: string;
  readonly log: Logger;
}

async function windowsFor(shared: SharedCounting | null, metrics: Metrics): Promise<RateWindows> {
  const local = new SlidingWindows();
  if (shared === null) return local;
  const { RedisWindows } = await import('./redis/redis-windows.js');
  const { SharedWindows } = await import('./redis/shared-windows.js');
  const { url, log } = shared;
  const redis = await RedisWindows.open(url, () => {
    log.info('Redis is connected');
  });
  return new SharedWindows(local, redis, log, metrics);
}

@Global()
@Module({})
class WindowsModule {
  static forRoot(shared: SharedCounting | null): DynamicModule {
    const provider = {
      provide: RateWindows,
      inject: [Metrics],
      useFactory: (metrics: Metrics) => windowsFor(shared, metrics),
    };
    return { module: WindowsModule, providers: [provider], exports: [RateWindows] };
  }
}

/** Makes the limits on requests available to every module. */
@Global()
@Module({})
export class RateLimitsModule {
  /**
   * @param maxRequests under way at once
   * @param shared `null`: each instance counts for itself
   */
  static forRoot(budgets: Budgets, maxRequests: number, shared: SharedCounting | null = null): DynamicModule {
    return {
      module: RateLimitsModule,
      imports: [
        WindowsModule.forRoot(shared),
        ThrottlerModule.forRootAsync({
          inject: [RateWindows],
          useFactory: (windows: RateWindows) => throttling(budgets, windows),
        }),
      ],
      providers: [
        RefusalCount,
        RequestLimits,
        {
          provide: LoadLimit,
          inject: [Metrics],
          useFactory: (metrics: Metrics) => new LoadLimit(maxRequests, metrics),
        },
        {
          provide: KeyedLimits,
          inject: [RateWindows, RefusalCount],
          useFactory: (windows: RateWindows, refusals: RefusalCount) => new KeyedLimits(budgets, windows, refusals),
        },
      ],
      exports: [KeyedLimits, LoadLimit, RequestLimits],
    };
  }
}
