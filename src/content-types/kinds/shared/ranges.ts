import { isExact } from '../../../common/text/exact-numbers.js';
import { compact, type JsonSchema } from '../../../common/schema/json-schema.js';
import { taking, type FieldRules, type KindDefinition, type Limits } from '../kind-definition.js';
import { NUMBERS, TIMES } from './comparisons.js';
import { readingTexts } from './exchange.js';

/** The comma of `1,50`, as tables of many countries write it. Three digits behind it may be thousands: such a text is refused. */
const DECIMAL_COMMA = /(?<=^-?\d+),(?=(?:\d{1,2}|\d{4,})$)/;
const takesRange = taking('min', 'max', 'default', 'indexed', 'unique');

/** The parts that numbers of both kinds share. */
export const NUMBER_PARTS = {
  takes: takesRange,
  // -0 is 0
  normalise: (value: unknown) => (typeof value === 'number' ? value + 0 : value),
  comparison: () => NUMBERS,
  fromCell: readingTexts((text) => numberFrom(text.replace(DECIMAL_COMMA, '.'))),
  fromValue: readingTexts(numberFrom),
} satisfies Partial<KindDefinition>;

/** The parts that days and moments share. */
export const TIME_PARTS = { takes: takesRange, comparison: () => TIMES } satisfies Partial<KindDefinition>;

function numberFrom(text: string): unknown {
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) return text;
  // Infinity is refused as what cannot be kept exactly.
  return isExact(text) || /^0[box]/i.test(text) ? number : Infinity;
}

export function timeSchema(format: 'date' | 'date-time', { min, max }: FieldRules): JsonSchema {
  return compact({ type: 'string', format, 'x-minimum': min, 'x-maximum': max });
}

export function numberLimits(kind: string, isLimit: (limit: unknown) => boolean): () => Limits {
  const limits: Limits = { kind, isLimit, ordinal: Number };
  return () => limits;
}

export function timeLimits(kind: string, isTime: (text: string) => boolean): () => Limits {
  const limits: Limits = {
    kind,
    isLimit: (limit) => typeof limit === 'string' && isTime(limit),
    ordinal: (limit) => Date.parse(String(limit).toUpperCase()),
  };
  return () => limits;
}

/** A value within the limits of a field. @param fallback where it has none */
export function rangeSample(fallback: number | string): KindDefinition['sample'] {
  return ({ min, max }) => min ?? max ?? fallback;
}
