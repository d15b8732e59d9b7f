import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';

/** Token by which the log is injected: `@Inject(LOG) private readonly log: Logger`. */
export const LOG = 'LOG';

@Global()
@Module({})
export class LoggingModule {
  static forRoot(log: Logger): DynamicModule {
    return { module: LoggingModule, providers: [{ provide: LOG, useValue: log }], exports: [LOG] };
  }
}
