import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Settings } from './settings.js';

/** Makes the checked settings and the clock available to every module. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Settings, useValue: settings }, Clock],
      exports: [Settings, Clock],
    };
  }
}
