import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { isDate, isEmail, isInstant, isUrl } from './formats.js';
import type { JsonSchema } from './json-schema.js';

/** Every way in which a value does not fit a schema; none when it does. */
export type Validate = (value: unknown) => readonly ErrorObject[];

export const MAX_PATTERN_LENGTH = 500;

/** Needs linear time for every text and every pattern; the engine of JavaScript can be made to hang. */
function linear(pattern: string): { test(text: string): boolean; toString(): string } {
  const compiled = RE2JS.compile(pattern);
  // Ajv tells patterns apart by what they are as a text.
  return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
}

/** Whether the engine understands a pattern; look-arounds and back-references it does not. */
export function isPattern(pattern: string): boolean {
  try {
    linear(pattern);
    return true;
  } catch {
    return false;
  }
}

/** Ajv wants to know how it would write the engine into a file; it never does that here. */
const regExp = Object.assign(linear, { code: 'linear' });

function isNestedDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isNestedDeeper(item, depth - 1));
}

/** Texts that are no time are the business of `format`. */
function timeOf(text: string): number {
  return isDate(text) || isInstant(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
}

/**
 * Compiles a schema. Each gets an Ajv of its own, which goes when the validator goes:
 * a shared one would keep every version of every type for ever.
 */
export function compile(schema: JsonSchema): Validate {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    allErrors: true,
    verbose: true,
    ownProperties: true,
    meta: false,
    validateSchema: false,
    code: { regExp },
    formats: { date: isDate, 'date-time': isInstant, email: isEmail, uri: isUrl },
    keywords: [
      { keyword: 'x-reference', schemaType: 'boolean' },
      { keyword: 'x-not-blank', type: 'string', validate: (_: true, text: string) => text.trim() !== '' },
      {
        keyword: 'x-minimum',
        type: 'string',
        validate: (least: string, text: string) => !(timeOf(text) < timeOf(least)),
      },
      {
        keyword: 'x-maximum',
        type: 'string',
        validate: (most: string, text: string) => !(timeOf(text) > timeOf(most)),
      },
      { keyword: 'x-max-depth', validate: (depth: number, value: unknown) => !isNestedDeeper(value, depth) },
    ],
  });
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}
