import { MAX_EMAIL_LENGTH } from '../../common/schema/formats.js';
import { defineScalar, taking } from './kind-definition.js';
import { ADDRESS_RULES, addressSchema } from './shared/addresses.js';
import { TEXT_KINDS } from './shared/texts.js';

const takesAddress = taking(...ADDRESS_RULES);

/** An e-mail address. Unique ones are compared without case, unless the field is exact. */
export const emailKind = defineScalar({
  fitsInto: TEXT_KINDS,
  title: ({ exact, unique }) => (exact === true && unique !== true ? 'email that is not unique' : null),
  takes: (rule, shape) => (rule === 'exact' ? shape.unique === true : takesAddress(rule, shape)),
  schema: (rules) => addressSchema('email', MAX_EMAIL_LENGTH, rules),
  longestText: ({ max_length: most }) => most ?? MAX_EMAIL_LENGTH,
  isOneLine: () => true,
  sample: () => 'ana@example.org',
});
