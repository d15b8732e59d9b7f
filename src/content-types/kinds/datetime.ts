import { momentOf } from '../../common/text/moments.js';
import { canonicalInstant, isInstant } from '../../common/schema/formats.js';
import { defineScalar } from './kind-definition.js';
import { fromPlainValue } from './shared/exchange.js';
import { rangeSample, TIME_PARTS, timeLimits, timeSchema } from './shared/ranges.js';

/** A moment, kept in UTC with milliseconds. */
export const datetimeKind = defineScalar({
  ...TIME_PARTS,
  limits: timeLimits('datetime', isInstant),
  schema: (rules) => timeSchema('date-time', rules),
  // A working copy may hold what is no moment yet.
  normalise: (value) => (isInstant(String(value)) ? canonicalInstant(String(value)) : value),
  sample: rangeSample('2026-03-14T09:26:53.589Z'),
  fromCell: fromMoment,
  fromValue: fromMoment,
});

function fromMoment(value: unknown): unknown {
  if (typeof value !== 'string') return fromPlainValue(value);
  const at = momentOf(value);
  return at === null ? fromPlainValue(value) : new Date(at).toISOString();
}
