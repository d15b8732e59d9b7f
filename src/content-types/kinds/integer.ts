import { defineScalar } from './kind-definition.js';
import { NUMBER_PARTS, numberLimits, rangeSample } from './shared/ranges.js';

/** A whole number that every client holds exactly. */
export const integerKind = defineScalar({
  ...NUMBER_PARTS,
  fitsInto: ['number'],
  limits: numberLimits('integer', Number.isSafeInteger),
  schema: ({ min, max }) => ({
    type: 'integer',
    minimum: min ?? Number.MIN_SAFE_INTEGER,
    maximum: max ?? Number.MAX_SAFE_INTEGER,
  }),
  sample: rangeSample(1),
});
