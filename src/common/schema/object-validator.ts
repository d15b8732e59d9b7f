import { type ErrorObject, Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { ownTurn } from '../concurrency/own-turn.js';
import type { JsonSchema, ObjectSchema } from './json-schema.js';
import { RE2JS } from 're2js';
import { hasOverrides } from '../text/one-line.js';
import { hasControls, isDate, isEmail, isInstant, isUrl, isVisible } from './formats.js';

/** Far more than are shown. */
const MANY = 1_000;
/** Some 30 KB each. */
const MAX_SHARED = 300;
/** Keywords that say nothing about a value. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'default']);

/** Validators of properties by their rules: those of most fields are the same as those of many others. */
const shared = new LRUCache<string, Validate>({ max: MAX_SHARED });

/** A validator of objects whose properties are compiled one by one when they are first sent: 200 at once take 100 ms. */
export class ObjectValidator {
  private readonly ofObject: Validate;
  private readonly properties: readonly (readonly [name: string, schema: JsonSchema])[];
  private readonly compiled = new Map<string, Validate>();
  /** True if {@link ofObject} is compiled. */
  private isPrepared = false;

  constructor(schema: ObjectSchema) {
    this.properties = Object.entries(schema.properties);
    const known = this.properties.map(([name]) => [name, true]);
    this.ofObject = compile({ ...schema, properties: Object.fromEntries(known) });
  }

  /** Compiles what the check of an object needs, each property in a turn of its own. */
  async prepare(body: unknown): Promise<void> {
    for (const [name, schema] of this.presentIn(body)) {
      if (this.compiled.has(name)) continue;
      await ownTurn();
      // The first value has it compiled.
      this.validatorOf(name, schema)(null);
    }
    if (this.isPrepared) return;
    await ownTurn();
    this.ofObject({});
    this.isPrepared = true;
  }

  /** The faults of an object, property by property, up to a thousand. Unprepared properties are compiled now. */
  check(body: unknown): readonly ErrorObject[] {
    const own: ErrorObject[] = [];
    for (const [name, schema, value] of this.presentIn(body)) {
      if (own.length >= MANY) break;
      own.push(...this.validatorOf(name, schema)(value).map((error) => within(name, error)));
    }
    return [...this.ofObject(body), ...own];
  }

  /** The properties that an object has, with their values; none of what is no object. */
  private presentIn(body: unknown): readonly (readonly [name: string, schema: JsonSchema, value: unknown])[] {
    const present: [name: string, schema: JsonSchema, value: unknown][] = [];
    if (typeof body !== 'object' || body === null) return present;
    const values = new Map<string, unknown>(Object.entries(body));
    for (const [name, schema] of this.properties) {
      const value = values.get(name);
      if (value !== undefined) present.push([name, schema, value]);
    }
    return present;
  }

  private validatorOf(name: string, schema: JsonSchema): Validate {
    const validate = this.compiled.get(name) ?? sharedValidator(schema);
    this.compiled.set(name, validate);
    return validate;
  }
}

/** The validator of all properties with these rules. */
function sharedValidator(schema: JsonSchema): Validate {
  const rules = Object.fromEntries(Object.entries(schema).filter(([key]) => !ANNOTATIONS.has(key)));
  const text = JSON.stringify(rules);
  const validate = shared.get(text) ?? compile(rules);
  shared.set(text, validate);
  return validate;
}

/** The error of a property as one of the object that has it. */
function within(name: string, error: ErrorObject): ErrorObject {
  const segment = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return {
    ...error,
    instancePath: `/${segment}${error.instancePath}`,
    schemaPath: `#/properties/${segment}${error.schemaPath.slice(1)}`,
  };
}

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
  // Ajv distinguishes patterns by their text.
  return { test: (text) => text.length <= longest && compiled.matcher(text).find(), toString: () => pattern };
}

/** Instructions of a pattern, at each of which a character may take a step; `null`: the engine does not understand it. */
export function sizeOf(pattern: string): number | null {
  try {
    return RE2JS.compile(pattern).programSize();
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
    if (validate(value)) return [];
    // What a list or a text breaks behind `if` is named by itself; see withBounds.
    return (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if');
  };
}

/** Keywords whose values are no schemas. */
const LITERALS: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required']);
/** Keywords that apply only to a list or a text that is not too long, by the one that limits it. */
const BOUNDED = { maxItems: ['items', 'uniqueItems', 'contains'], maxLength: ['minLength', 'pattern'] } as const;

/**
 * The same schema, which looks at no item of a list that has too many, and matches no text that is too long: a hundred
 * thousand wrong items would each make a fault, and to match a megabyte takes long.
 */
function withBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withBounds);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([key, part]): [string, unknown] => [
    key,
    LITERALS.has(key) ? part : withBounds(part),
  ]);
  return boundedBy('maxLength', boundedBy('maxItems', Object.fromEntries(parts)));
}

function boundedBy(limit: keyof typeof BOUNDED, whole: JsonSchema): JsonSchema {
  const isBounded = ([key]: [string, unknown]) => (BOUNDED[limit] as readonly string[]).includes(key);
  const parts = Object.entries(whole);
  const bounded = Object.fromEntries(parts.filter(isBounded));
  if (typeof whole[limit] !== 'number' || Object.keys(bounded).length === 0) return whole;
  if (limit === 'maxLength' && bounded.pattern === undefined) return whole;
  const rest = Object.fromEntries(parts.filter((part) => !isBounded(part)));
  const others = Array.isArray(whole.allOf) ? (whole.allOf as JsonSchema[]) : [];
  return { ...rest, allOf: [...others, { if: { [limit]: whole[limit] }, then: bounded }] };
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
    formats: { date: isDate, 'date-time': isInstant, email: isEmail, iri: isUrl },
    keywords: [
      { keyword: 'x-reference', schemaType: 'boolean' },
      { keyword: 'x-not-blank', type: 'string', validate: (_: true, text: string) => isVisible(text) },
      {
        keyword: 'x-no-controls',
        type: 'string',
        validate: (isForbidden: boolean, text: string) => !isForbidden || !hasControls(text),
      },
      {
        keyword: 'x-no-overrides',
        type: 'string',
        validate: (isForbidden: boolean, text: string) => !isForbidden || !hasOverrides(text),
      },
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
  return ajv.compile(withBounds(schema) as JsonSchema);
}
