import type { SettingReader } from './values/setting-reader.js';

const EXAMPLE = 9464;
/** Levels that leave lines of the audit out. */
const ABOVE_INFO: readonly (string | undefined)[] = ['fatal', 'error', 'warn', 'silent'];

/** @param port that of the service, which is public and the metrics are not */
export function metricsPort(reader: SettingReader, port: number): number | null {
  if (reader.text('METRICS_PORT') === undefined) return null;
  const found = reader.integer('METRICS_PORT', EXAMPLE, { min: 0, max: 65_535 });
  if (found !== 0 && found === port)
    reader.fault(`METRICS_PORT is ${found}, as PORT is. Metrics need a port of their own: METRICS_PORT=${EXAMPLE}.`);
  return found;
}

/** Whether each event of the audit is a line of the log too, which has to be one that is written. */
export function auditToLog(reader: SettingReader): boolean {
  const isOn = reader.oneOf('AUDIT_TO_LOG', ['yes', 'no'], 'no') === 'yes';
  const level = reader.text('LOG_LEVEL');
  if (isOn && ABOVE_INFO.includes(level))
    reader.fault(`AUDIT_TO_LOG is yes, and LOG_LEVEL=${level ?? ''} leaves its lines out. Set LOG_LEVEL=info.`);
  return isOn;
}

const SLOW_MS = 500;

/** Which statements are lines of the log. */
export function slowQuerySettings(reader: SettingReader) {
  const limitMs = reader.integer('SLOW_QUERY_MS', SLOW_MS, { min: 0, max: 60_000 });
  return {
    /** Milliseconds; 0: none. */
    limitMs,
    /** Whether their requests are to be known whatever that costs, since they were asked for by name. */
    areTracked: reader.text('SLOW_QUERY_MS') !== undefined && limitMs > 0,
  };
}
