import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Caller } from '../common/access/caller.js';
import { LOG } from '../common/logging/logging.module.js';
import { Departures } from './departures.service.js';

/** Who finishes what somebody has begun before the service stopped. */
const SERVICE: Caller = { kind: 'token', id: null, name: 'service', scopes: new Set(['*']) };

/** Finishes at start the merges and deletions that a stop has interrupted. */
@Injectable()
export class TermChores implements OnApplicationBootstrap, OnModuleDestroy {
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly departures: Departures,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.resume().catch((err: unknown) => {
      this.log.error({ err }, 'an interrupted merge or deletion of a term could not be finished');
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  private async resume(): Promise<void> {
    for await (const departure of this.departures.pending()) {
      if (this.isStopping) return;
      await this.departures.finish(departure, SERVICE);
    }
  }
}
