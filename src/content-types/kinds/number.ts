import { compact } from '../../common/schema/json-schema.js';
import { defineScalar } from './kind-definition.js';
import { NUMBER_PARTS, numberLimits, rangeSample } from './shared/ranges.js';

export const numberKind = defineScalar({
  ...NUMBER_PARTS,
  limits: numberLimits('number', Number.isFinite),
  schema: ({ min, max }) => compact({ type: 'number', minimum: min, maximum: max }),
  sample: rangeSample(1),
});
