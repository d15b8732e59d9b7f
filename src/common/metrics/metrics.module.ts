import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Registry } from 'prom-client';

/** Makes the metrics of one application available to every module. */
@Global()
@Module({})
export class MetricsModule {
  static forRoot(registry: Registry): DynamicModule {
    return { module: MetricsModule, providers: [{ provide: Registry, useValue: registry }], exports: [Registry] };
  }
}
