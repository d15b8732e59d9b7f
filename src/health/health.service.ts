import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/errors/domain-error.js';
import { Reads } from '../database/statements/reads.js';
import { Drain } from './drain.js';

@Injectable()
export class HealthService {
  constructor(
    private readonly reads: Reads,
    private readonly drain: Drain,
  ) {}

  /** @throws {DomainError} `not_ready`: the service is stopping, or its database does not answer */
  async requireReady(): Promise<void> {
    if (this.drain.isDraining()) throw new DomainError('not_ready', 'The service is stopping.');
    try {
      await this.reads.select('SELECT 1');
    } catch (cause) {
      throw new DomainError('not_ready', 'The database does not answer.', { cause });
    }
  }
}
