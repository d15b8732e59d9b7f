import { compact } from '../../common/schema/json-schema.js';
import { defineScalar, taking } from './kind-definition.js';
import { TEXT_KINDS } from './shared/texts.js';

/** One of the texts that the field names. */
export const enumKind = defineScalar({
  fitsInto: TEXT_KINDS,
  takes: taking('values', 'default', 'indexed', 'unique', 'searchable'),
  needs: () => ['values'],
  schema: ({ values }) => compact({ type: 'string', enum: values }),
  answerSchema: ({ values = [], retired = [] }) => ({ type: 'string', enum: [...values, ...retired] }),
  sample: ({ values }) => values?.[0],
});
