import { pino } from 'pino';
import { RecordHistoryHost, type RecordHistory } from '../records/record-history.port.js';
import { DamageLog } from '../revisions/history/damage-log.js';
import { RevisionHistory } from '../revisions/history/revision-history.js';

/** Reads histories without the service, whose settings are not there yet. What is damaged is passed over. */
export function histories(): RecordHistory {
  return new RevisionHistory(new RecordHistoryHost(), new DamageLog(pino({ enabled: false })));
}
