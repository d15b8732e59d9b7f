import { Module } from '@nestjs/common';
import { ConsoleController } from './console.controller.js';
import { ConsoleFiles } from './console-files.js';

/** The console for people, as far as it is built and not switched off. */
@Module({
  controllers: [ConsoleController],
  providers: [ConsoleFiles],
  exports: [ConsoleFiles],
})
export class ConsoleModule {}
