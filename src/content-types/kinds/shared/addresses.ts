import { compact, type JsonSchema } from '../../../common/schema/json-schema.js';
import type { FieldRules } from '../kind-definition.js';
import { ONE_LINE } from './schemas.js';

export const ADDRESS_RULES = ['pattern', 'default', 'indexed', 'unique', 'searchable'] as const;

export function addressSchema(format: 'email' | 'iri', maxLength: number, { pattern }: FieldRules): JsonSchema {
  return compact({ type: 'string', format, maxLength, pattern, ...ONE_LINE });
}
