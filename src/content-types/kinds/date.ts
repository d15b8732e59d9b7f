import { isDate } from '../../common/schema/formats.js';
import { defineScalar } from './kind-definition.js';
import { rangeSample, TIME_PARTS, timeLimits, timeSchema } from './shared/ranges.js';

/** A day of the calendar, `2024-02-29`. */
export const dateKind = defineScalar({
  ...TIME_PARTS,
  limits: timeLimits('date', isDate),
  schema: (rules) => timeSchema('date', rules),
  sample: rangeSample('2026-03-14'),
});
