import { integer, oneOf } from './values/setting-parsers.js';
import type { SettingFaults } from './values/setting-faults.js';

const EXAMPLE = 9464;
/** Levels that leave lines of the audit out. */
const ABOVE_INFO: readonly (string | undefined)[] = ['fatal', 'error', 'warn', 'silent'];

type Environment = Readonly<Record<string, string | undefined>>;

/** @param port that of the service, which is public and the metrics are not */
export function metricsPort(text: string | undefined, port: number, faults: SettingFaults): number | null {
  if (text === undefined) return null;
  const found = integer('METRICS_PORT', text, EXAMPLE, { min: 0, max: 65_535 }, faults);
  if (found !== 0 && found === port)
    faults.add(`METRICS_PORT is ${found}, as PORT is. Metrics need a port of their own: METRICS_PORT=${EXAMPLE}.`);
  return found;
}

/** Whether each event of the audit is a line of the log too, which has to be one that is written. */
export function auditToLog({ AUDIT_TO_LOG: text, LOG_LEVEL: level }: Environment, faults: SettingFaults): boolean {
  const isOn = oneOf('AUDIT_TO_LOG', ['yes', 'no'] as const, text, 'no', faults) === 'yes';
  if (isOn && ABOVE_INFO.includes(level))
    faults.add(`AUDIT_TO_LOG is yes, and LOG_LEVEL=${level ?? ''} leaves its lines out. Set LOG_LEVEL=info.`);
  return isOn;
}

/** Which statements are lines of the log. */
export interface SlowQuerySettings {
  /** Milliseconds; 0: none. */
  readonly limitMs: number;
  /** Whether their requests are to be known whatever that costs, since they were asked for by name. */
  readonly areTracked: boolean;
}

const SLOW_MS = 500;

export function slowQuerySettings({ SLOW_QUERY_MS: text }: Environment, faults: SettingFaults): SlowQuerySettings {
  const limitMs = integer('SLOW_QUERY_MS', text, SLOW_MS, { min: 0, max: 60_000 }, faults);
  return { limitMs, areTracked: text !== undefined && limitMs > 0 };
}
