import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { AppKeys } from './values/app-keys.js';
import { Settings } from './settings.js';

@Global()
@Module({})
export class ConfigModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Settings, useValue: settings }, Clock, AppKeys],
      exports: [Settings, Clock, AppKeys],
    };
  }
}
