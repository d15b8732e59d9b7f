import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Chores } from '../../common/chores.js';
import { LOG } from '../../common/logging/logging.module.js';
import { TypeDepartures } from './type-departures.js';
import { asUnavailable } from '../../database/database-error.js';

const RESUME_EVERY_MS = 60_000;

/** Takes the terms away that a stop or a failure has left on records whose type no longer has the taxonomy. */
@Injectable()
export class DepartureChores implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;

  constructor(
    private readonly departures: TypeDepartures,
    @Inject(LOG) log: Logger,
  ) {
    this.chores = new Chores(
      log,
      'terms of a taxonomy that a content type no longer has could not be taken away',
      asUnavailable,
    );
  }

  onApplicationBootstrap(): void {
    void this.chores.start(() => this.departures.resume());
    this.chores.every(RESUME_EVERY_MS, () => this.departures.resume());
  }

  async onModuleDestroy(): Promise<void> {
    this.departures.stop();
    await this.chores.stop();
  }
}
