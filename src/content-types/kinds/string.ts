import { defineScalar, taking } from './kind-definition.js';
import { DEFAULT_STRING_LENGTH, ONE_LINE } from './shared/schemas.js';
import { TEXT_EXCHANGE, TEXT_KINDS, TEXT_RULES, textSample, textSchema } from './shared/texts.js';

/** A text on one line. */
export const stringKind = defineScalar({
  isProse: true,
  fitsInto: TEXT_KINDS,
  takes: taking(...TEXT_RULES, 'indexed', 'unique'),
  schema: (rules) => ({ ...textSchema(rules, DEFAULT_STRING_LENGTH), ...ONE_LINE }),
  longestText: ({ max_length: most }) => most ?? DEFAULT_STRING_LENGTH,
  isOneLine: () => true,
  sample: textSample,
  ...TEXT_EXCHANGE,
});
