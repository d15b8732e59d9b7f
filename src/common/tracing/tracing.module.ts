import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { Tracing } from './tracing.js';

/** Makes the traces available to every module, and sends the last of them when requests and jobs are over. */
@Global()
@Module({})
export class TracingModule implements OnApplicationShutdown {
  constructor(private readonly tracing: Tracing) {}

  static forRoot(tracing: Tracing): DynamicModule {
    return { module: TracingModule, providers: [{ provide: Tracing, useValue: tracing }], exports: [Tracing] };
  }

  onApplicationShutdown(): Promise<void> {
    return this.tracing.stop();
  }
}
