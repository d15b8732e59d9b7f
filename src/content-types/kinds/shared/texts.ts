import { compact, type JsonSchema } from '../../../common/schema/json-schema.js';
import { defineKind, taking, type FieldRules, type KindDefinition } from '../kind-definition.js';
import { fromText } from './exchange.js';
import { DEFAULT_STRING_LENGTH, MAX_TEXT_LENGTH, ONE_LINE } from './schemas.js';

/** Kinds that take every text. */
export const TEXT_KINDS: readonly string[] = ['string', 'text', 'markdown', 'html'];
export const TEXT_RULES = ['min_length', 'max_length', 'pattern', 'default', 'searchable'] as const;

/** A required text has one character at least. @param fallback the most characters, where the field does not say it */
export function textSchema(rules: FieldRules, fallback: number): JsonSchema {
  const minLength = rules.required ? Math.max(1, rules.min_length ?? 1) : rules.min_length;
  return compact({ type: 'string', minLength, maxLength: rules.max_length ?? fallback, pattern: rules.pattern });
}

/** Spaces around a text are part of it. */
export const TEXT_EXCHANGE: Pick<KindDefinition, 'fromCell' | 'fromValue'> = {
  fromCell: fromText,
  fromValue: fromText,
};

export function textSample({ min_length: least = 1, max_length: most = DEFAULT_STRING_LENGTH }: FieldRules): string {
  return 'Some text'.padEnd(least, '.').slice(0, most);
}

/** A text of many lines. */
export function proseKind(own: Partial<KindDefinition>): KindDefinition {
  return defineKind({
    isProse: true,
    fitsInto: TEXT_KINDS,
    takes: taking(...TEXT_RULES),
    schema: (rules) => textSchema(rules, MAX_TEXT_LENGTH),
    sample: textSample,
    ...TEXT_EXCHANGE,
    ...own,
  });
}

export const ADDRESS_RULES = ['pattern', 'default', 'indexed', 'unique', 'searchable'] as const;

export function addressSchema(format: 'email' | 'iri', maxLength: number, { pattern }: FieldRules): JsonSchema {
  return compact({ type: 'string', format, maxLength, pattern, ...ONE_LINE });
}
