import { emailAddress, MAX_ADDRESS_LENGTH } from '../../common/text/email-address.js';
import { defineScalar, taking } from './kind-definition.js';
import { ADDRESS_RULES, addressSchema, TEXT_KINDS } from './shared/texts.js';

/** An e-mail address, by the rule of accounts. Unique ones are compared without case. */
export const emailKind = defineScalar({
  ignoresCase: true,
  fitsInto: TEXT_KINDS,
  takes: taking(...ADDRESS_RULES),
  schema: (rules) => addressSchema('email', MAX_ADDRESS_LENGTH, rules),
  longestText: ({ max_length: most }) => most ?? MAX_ADDRESS_LENGTH,
  isOneLine: () => true,
  canonical: () => (text) => emailAddress(text)?.address ?? text,
  sample: () => 'ana@example.org',
});
