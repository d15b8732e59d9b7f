import { MAX_URL_LENGTH } from '../../common/schema/formats.js';
import { defineScalar, taking } from './kind-definition.js';
import { ADDRESS_RULES, addressSchema, TEXT_KINDS } from './shared/texts.js';

/** An absolute address of the web or of a mailbox, with letters of any script. */
export const urlKind = defineScalar({
  fitsInto: TEXT_KINDS,
  takes: taking(...ADDRESS_RULES),
  schema: (rules) => addressSchema('iri', MAX_URL_LENGTH, rules),
  longestText: ({ max_length: most }) => most ?? MAX_URL_LENGTH,
  isOneLine: () => true,
  sample: () => 'https://www.example.org/',
});
