import { Injectable } from '@nestjs/common';
import { Job } from '../common/jobs/job.decorator.js';
import { Dialect } from '../database/dialect/dialect.js';
import { deleteSome } from '../database/statements/deletion.js';
import { AgreedTime } from '../database/units/agreed-time.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';

const EVERY_MS = 3_600_000;
/** Rows that one statement deletes: their answers may be long. */
const AT_ONCE = 200;

/** Forgets the keys of requests that are a day old. */
@Injectable()
export class IdempotencyJobs {
  constructor(
    private readonly units: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly time: AgreedTime,
  ) {}

  @Job({
    name: 'idempotency.drop-old',
    every: EVERY_MS,
    lock: 'idempotency',
    failure: 'old idempotency keys could not be dropped',
  })
  async dropOld(signal?: AbortSignal): Promise<void> {
    const values = [await this.time.now()];
    const old = { table: 'idempotency_keys', condition: 'expires_at <= ?', values, atOnce: AT_ONCE };
    let deleted = AT_ONCE;
    while (deleted === AT_ONCE && signal?.aborted !== true) {
      deleted = await this.units.run((manager) => deleteSome(manager, this.dialect, old));
    }
  }
}
