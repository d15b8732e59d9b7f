import type { ErrorObject } from 'ajv/dist/2020.js';
import { ownTurn } from '../concurrency/own-turn.js';
import type { JsonSchema, ObjectSchema } from './json-schema.js';
import { compile, type Validate } from './validator.js';

/** Far more than are shown. */
const MANY = 1_000;
/** Some 30 KB each. */
const MAX_SHARED = 300;
/** What says nothing about a value. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'default']);

/** Validators of properties by their rules: those of most fields are the same as those of many others. Last used last. */
const shared = new Map<string, Validate>();

/**
 * A validator of objects whose properties are compiled one by one, each when an object first has it. A schema of 200
 * properties as a whole takes a tenth of a second or more, in which nothing else could be done.
 */
export class ObjectValidator {
  private readonly ofObject: Validate;
  private readonly properties: readonly (readonly [name: string, schema: JsonSchema])[];
  private readonly compiled = new Map<string, Validate>();
  /** Whether {@link ofObject} is compiled. */
  private isPrepared = false;

  constructor(schema: ObjectSchema) {
    this.properties = Object.entries(schema.properties);
    const known = this.properties.map(([name]) => [name, true]);
    this.ofObject = compile({ ...schema, properties: Object.fromEntries(known) });
  }

  /** Compiles what the check of an object needs, each property in a turn of its own. */
  async prepare(body: unknown): Promise<void> {
    const missing = this.presentIn(body).filter(([name]) => !this.compiled.has(name));
    for (const [name, schema] of missing) {
      await ownTurn();
      // The first value has it compiled.
      this.validatorOf(name, schema)(null);
    }
    if (this.isPrepared) return;
    await ownTurn();
    this.ofObject({});
    this.isPrepared = true;
  }

  /**
   * The ways in which an object does not fit, property by property; after a thousand of them no further one is looked at.
   * What is not prepared is compiled now.
   */
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
    if (typeof body !== 'object' || body === null) return [];
    const values = new Map<string, unknown>(Object.entries(body));
    return this.properties
      .map(([name, schema]) => [name, schema, values.get(name)] as const)
      .filter(([, , value]) => value !== undefined);
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
  shared.delete(text);
  shared.set(text, validate);
  const [eldest] = shared.keys();
  if (eldest !== undefined && shared.size > MAX_SHARED) shared.delete(eldest);
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
