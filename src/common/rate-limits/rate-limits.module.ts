import { Global, Module, type DynamicModule } from '@nestjs/common';
import { getStorageToken, ThrottlerModule } from '@nestjs/throttler';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { LoadLimit } from '../http/arriving/load-limit.js';
import type { Budgets } from './budgets.js';
import { KeyedLimits } from './keyed-limits.js';
import type { LimitStorage } from './limit-storage.js';
import { MemoryStorage } from './memory-storage.js';
import { RequestLimits, throttling } from './request-limits.js';

/** The server in which all instances of the service count together. */
interface SharedCounting {
  readonly url: string;
  readonly log: Logger;
}

async function storageFor(shared: SharedCounting | null, registry: Registry): Promise<LimitStorage> {
  const local = new MemoryStorage();
  if (shared === null) return local;
  const { RedisStorage, RedisWindows } = await import('./redis-storage.js');
  const { url, log } = shared;
  const redis = await RedisWindows.open(url, () => {
    log.info('Redis is connected');
  });
  return new RedisStorage(local, redis, log, registry);
}

@Global()
@Module({})
export class RateLimitsModule {
  /** @param maxRequests under way at once @param shared `null`: each instance counts for itself */
  static forRoot(budgets: Budgets, maxRequests: number, shared: SharedCounting | null = null): DynamicModule {
    return {
      module: RateLimitsModule,
      imports: [
        ThrottlerModule.forRootAsync({
          inject: [Registry],
          useFactory: async (registry: Registry) => throttling(budgets, await storageFor(shared, registry)),
        }),
      ],
      providers: [
        RequestLimits,
        {
          provide: LoadLimit,
          inject: [Registry],
          useFactory: (registry: Registry) => new LoadLimit(maxRequests, registry),
        },
        {
          provide: KeyedLimits,
          inject: [getStorageToken(), Registry],
          useFactory: (storage: LimitStorage, registry: Registry) => new KeyedLimits(budgets, storage, registry),
        },
      ],
      exports: [KeyedLimits, LoadLimit, RequestLimits],
    };
  }
}
