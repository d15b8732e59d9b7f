import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../../common/logging/logging.module.js';
import type { DamagedSnapshotError } from '../snapshots/stored-snapshot.js';

/** Which revision; `ts` is `null` where it cannot be said. */
interface Place {
  readonly recordId: number;
  readonly ts: number | null;
}

/** Says in the log which revisions are damaged, so that a service that goes on with them does not hide it. */
@Injectable()
export class DamageLog {
  private met = 0;

  constructor(@Inject(LOG) private readonly log: Logger) {}

  note({ recordId, ts }: Place, error: DamagedSnapshotError): void {
    this.met += 1;
    const details = { record_id: recordId, ts, err: error, damaged_since_start: this.met };
    this.log.error(details, 'A revision is damaged in the database. `doctor` names all of them.');
  }
}
