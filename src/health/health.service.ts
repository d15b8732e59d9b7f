import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/errors/domain-error.js';
import { LoadLimit } from '../common/http/arriving/load-limit.js';
import { DatabaseProbe } from './database-probe.js';

@Injectable()
export class HealthService {
  private isStopping = false;

  constructor(
    private readonly probe: DatabaseProbe,
    private readonly load: LoadLimit,
  ) {}

  /** The service is about to stop and should get no new requests. */
  drain(): void {
    this.isStopping = true;
  }

  /** @throws {DomainError} `not_ready`: it is stopping or refuses everything, or its database does not answer or has another time */
  requireReady(): void {
    if (this.isStopping) throw new DomainError('not_ready', 'The service is stopping.');
    if (this.load.isShut) throw new DomainError('not_ready', 'The service has refused every request for some seconds.');
    const { trouble } = this.probe;
    if (trouble) throw new DomainError('not_ready', trouble.message, { cause: trouble.cause });
  }
}
