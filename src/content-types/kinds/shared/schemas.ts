import { compact, type JsonSchema } from '../../../common/schema/json-schema.js';

/** The most characters of a text on one line that says nothing else. */
export const DEFAULT_STRING_LENGTH = 255;
/** The most characters any text field may ask for. */
export const MAX_TEXT_LENGTH = 500_000;
/** The most items of a list or of a relation to many. */
export const MAX_ITEMS = 1_000;

/** Texts that are sorted by. */
export const ONE_LINE = { 'x-no-controls': true };

interface Lengths {
  readonly required: boolean;
  readonly min_length?: number;
  readonly max_length?: number;
}

/** A schema of a list: a required one has one item at least. */
export function arraySchema(items: JsonSchema, { required, min_length: least, max_length: most }: Lengths): JsonSchema {
  const minItems = required ? Math.max(1, least ?? 1) : least;
  return compact({ type: 'array', items, minItems, maxItems: most ?? MAX_ITEMS });
}
