import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { Budgets } from './budgets.js';
import { KeyedLimits } from './keyed-limits.js';
import { RequestLimits } from './request-limits.js';
import { SlidingWindows } from './sliding-windows.js';
import { throttling } from './throttlers.js';

/** Makes the limits on requests available to every module. */
@Global()
@Module({})
export class RateLimitsModule {
  static forRoot(budgets: Budgets): DynamicModule {
    const windows = new SlidingWindows();
    return {
      module: RateLimitsModule,
      imports: [ThrottlerModule.forRoot(throttling(budgets, windows))],
      providers: [RequestLimits, { provide: KeyedLimits, useValue: new KeyedLimits(budgets, windows) }],
      exports: [KeyedLimits, RequestLimits],
    };
  }
}
