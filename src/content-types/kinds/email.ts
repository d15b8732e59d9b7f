import { emailAddress, MAX_ADDRESS_LENGTH } from '../../common/text/email-address.js';
import { defineScalar, taking } from './kind-definition.js';
import { ADDRESS_RULES, addressSchema, TEXT_KINDS } from './shared/texts.js';

const takesAddress = taking(...ADDRESS_RULES);

/** Characters of an address that an earlier release has taken. */
const FORMER_LENGTH = 320;

/** An e-mail address, by the rule of accounts. Unique ones are compared without case, unless the field is exact. */
export const emailKind = defineScalar({
  fitsInto: TEXT_KINDS,
  title: ({ exact, unique }) => (exact === true && unique !== true ? 'email that is not unique' : null),
  takes: (rule, shape) => (rule === 'exact' ? shape.unique === true : takesAddress(rule, shape)),
  schema: (rules) => addressSchema('email', MAX_ADDRESS_LENGTH, rules),
  answerSchema: (rules) => addressSchema('email', FORMER_LENGTH, rules),
  longestText: ({ max_length: most }) => most ?? FORMER_LENGTH,
  isOneLine: () => true,
  canonical: () => (text) => emailAddress(text)?.address ?? text,
  sample: () => 'ana@example.org',
});
