import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../common/logging/logging.module.js';
import { IndexBuilder } from './index-builder.service.js';
import { TypeRemoval } from './type-removal.service.js';

/** Finishes at start what a stop has interrupted. */
@Injectable()
export class TypeChores implements OnApplicationBootstrap, OnModuleDestroy {
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly indexes: IndexBuilder,
    private readonly removal: TypeRemoval,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.resume().catch((err: unknown) => {
      this.log.error({ err }, 'an interrupted change of a content type could not be finished');
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.indexes.stop();
    this.removal.stop();
    await this.running;
  }

  private async resume(): Promise<void> {
    await this.removal.resume();
    await this.indexes.resume();
  }
}
