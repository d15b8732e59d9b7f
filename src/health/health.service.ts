import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/errors/domain-error.js';
import { DatabaseProbe } from './database-probe.js';
import { Drain } from './drain.js';

@Injectable()
export class HealthService {
  constructor(
    private readonly probe: DatabaseProbe,
    private readonly drain: Drain,
  ) {}

  /** @throws {DomainError} `not_ready`: the service is stopping, or its database does not answer or has another time */
  requireReady(): void {
    if (this.drain.isDraining()) throw new DomainError('not_ready', 'The service is stopping.');
    const { trouble } = this.probe;
    if (trouble) throw new DomainError('not_ready', trouble.message, { cause: trouble.cause });
  }
}
