import { exactJson } from '../../common/text/exact-numbers.js';
import { defineKind, taking } from './kind-definition.js';

const MAX_DEPTH = 32;

/** Any JSON, which the service keeps and does not look into. */
export const jsonKind = defineKind({
  takes: taking('default'),
  schema: () => ({ 'x-max-depth': MAX_DEPTH }),
  sample: () => ({ any: 'value' }),
  fromCell: parsed,
  fromValue: (value) => value,
  toCell: (value) => JSON.stringify(value),
});

function parsed(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    return text;
  }
}
