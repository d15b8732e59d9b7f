import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { hasControls, isDate, isEmail, isInstant, isUrl } from './formats.js';
import type { JsonSchema } from './json-schema.js';

/** Every way in which a value does not fit a schema; none when it does. */
export type Validate = (value: unknown) => readonly ErrorObject[];

export const MAX_PATTERN_LENGTH = 500;

/** Steps that matching one text may take, about a fifth of a second: nothing else is answered meanwhile. */
const MAX_STEPS = 20_000_000;

/** Needs linear time for every text and every pattern; the engine of JavaScript can be made to hang. */
function linear(pattern: string): { test(text: string): boolean; toString(): string } {
  const compiled = RE2JS.compile(pattern);
  // A longer text has two UTF-16 units for each of its characters at most, and breaks its `max_length` besides.
  const longest = (2 * MAX_STEPS) / compiled.programSize();
  // Ajv tells patterns apart by what they are as a text.
  return { test: (text) => text.length <= longest && compiled.matcher(text).find(), toString: () => pattern };
}

/**
 * Characters of the longest text that a pattern can be matched against in time; `null` for a pattern that the engine
 * does not understand, such as one with look-arounds or back-references.
 */
export function reachOf(pattern: string): number | null {
  try {
    return Math.floor(MAX_STEPS / RE2JS.compile(pattern).programSize());
  } catch {
    return null;
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

/** A validator of a schema, which is compiled when it is first needed: most are not needed by a service that starts. */
export function compile(schema: JsonSchema): Validate {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= compiled(schema);
    return validate(value) ? [] : (validate.errors ?? []);
  };
}

/** Each gets an Ajv of its own, which goes when the validator goes: a shared one would keep every version of every type for ever. */
function compiled(schema: JsonSchema): ValidateFunction {
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
      { keyword: 'x-no-controls', type: 'string', validate: (_: true, text: string) => !hasControls(text) },
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
  return ajv.compile(schema);
}
