import type { OpenAPIV3_1 } from 'openapi-types';
import { succeeds } from '../common/succeeds.js';
import { failures } from '../common/openapi/describe.js';
import { nameOfErrors } from '../common/openapi/error-components.js';
import {
  withOperations,
  type OpenApiFragment,
  type PathItem,
  type Paths,
  type Schemas,
} from '../common/openapi/openapi.registry.js';

export type DocumentHead = Omit<OpenAPIV3_1.Document, 'paths' | 'components'>;

/** In the order in which they stand in a document. */
const KINDS = ['securitySchemes', 'schemas', 'parameters', 'headers', 'responses', 'examples'] as const;
type Kind = (typeof KINDS)[number];

/** A part of a document as JSON text, and the components that it refers to: `schemas/Post`. */
interface Part {
  readonly text: string;
  readonly references: ReadonlySet<string>;
}

/** No text inside of JSON looks like this: its quotation marks are escaped. */
const REFERENCE = /"\$ref":"#\/components\/([^"]+)"/g;

/**
 * The text of an OpenAPI document, made in small parts: as one it would hold up all other requests. Components without a
 * reference are left out.
 */
export class DocumentText {
  private readonly tags: OpenAPIV3_1.TagObject[] = [];
  private readonly paths = new Map<string, Part>();
  /** By what refers to them: `schemas/Post`. */
  private readonly components = new Map<string, Part>();
  /** Components that paths refer to. */
  private readonly asked = new Set<string>();

  /** @param firstTag of the groups of operations */
  constructor(
    private readonly head: DocumentHead,
    private readonly firstTag = '',
  ) {}

  /** @throws {Error} there is one of that name already: one of the two would be lost */
  addComponents(kind: Kind, members: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(members)) put(this.components, `${kind}/${name}`, value);
  }

  /** @throws {Error} there is one of that name already */
  addSchemas(schemas: Schemas): void {
    this.addComponents('schemas', documented(schemas));
  }

  /** Adds fragments that may share a path with different methods. @throws {Error} there is something of that name already */
  add(fragments: readonly OpenApiFragment[]): void {
    const { paths, responses } = mergedPaths(fragments);
    for (const [path, item] of Object.entries(paths)) {
      for (const key of put(this.paths, path, item).references) this.asked.add(key);
    }
    for (const { tags = [], schemas = {}, parameters = {} } of fragments) {
      this.tags.push(...tags);
      this.addSchemas(schemas);
      this.addComponents('parameters', parameters);
    }
    // What refuses for the same reasons has the same name, and is the same.
    const others = Object.entries(responses).filter(([name]) => !this.components.has(`responses/${name}`));
    this.addComponents('responses', Object.fromEntries(others));
  }

  *parts(): Generator<string> {
    const tags = this.tags.toSorted((a, b) => Number(b.name === this.firstTag) - Number(a.name === this.firstTag));
    yield `${JSON.stringify({ ...this.head, tags }).slice(0, -1)},"paths":{`;
    yield* members(this.paths);
    yield '},"components":{';
    const used = this.used();
    for (const [index, kind] of KINDS.entries()) {
      yield `${index === 0 ? '' : ','}"${kind}":{`;
      yield* members(this.ofKind(kind, used));
      yield '}';
    }
    yield '}}';
  }

  private *ofKind(kind: Kind, used: ReadonlySet<string>): Generator<[string, Part]> {
    for (const [key, part] of this.components) {
      if (key.startsWith(`${kind}/`) && used.has(key)) yield [key.slice(kind.length + 1), part];
    }
  }

  /** The components that paths lead to, directly or through others, and those that are referred to by their name. */
  private used(): ReadonlySet<string> {
    const found = new Set([...this.components.keys()].filter((key) => key.startsWith('securitySchemes/')));
    for (const key of this.asked) found.add(key);
    // What is added while a set is gone through comes last.
    for (const key of found) for (const other of this.components.get(key)?.references ?? []) found.add(other);
    return found;
  }
}

function put(parts: Map<string, Part>, name: string, value: unknown): Part {
  if (parts.has(name)) throw new Error(`Two parts of the API description are called ${name}.`);
  const text = JSON.stringify(value);
  // Each of them once: the operations of a type refer to the same few dozen components again and again.
  const references = new Set(Array.from(text.matchAll(REFERENCE), ([, key = '']) => key));
  const part = { text, references };
  parts.set(name, part);
  return part;
}

function* members(parts: Iterable<readonly [string, Part]>): Generator<string> {
  let separator = '';
  for (const [name, { text }] of parts) {
    yield `${separator}${JSON.stringify(name)}:${text}`;
    separator = ',';
  }
}

type Schema = OpenAPIV3_1.SchemaObject;

/** Keywords whose value is data, or names of properties, and no schema. */
const DATA_KEYWORDS = new Set(['default', 'examples', 'enum', 'const', 'required']);

/** Syntax that means something else, or nothing, where an expression is compiled without the flag `u`, or by an older engine. */
const NEWER_SYNTAX = /\\[pPu]\{|\(\?[a-z-]+[:)]/;

/** Schemas for any reader: without keywords of this service, and without patterns that some validators read differently. */
export function documented(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return mapped(schemas, (schema) => cleaned(schema) as Schema);
}

function cleaned(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(cleaned);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !key.startsWith('x-') && !isForeignPattern(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, cleanedValue(key, value)]));
}

function cleanedValue(key: string, value: unknown): unknown {
  if (DATA_KEYWORDS.has(key)) return value;
  // Names of properties are no keywords: one may be called `pattern`.
  return key === 'properties' ? mapped(value as Record<string, unknown>, cleanedProperty) : cleaned(value);
}

/** A default is said in words: generators that see one take the property for one that has to be sent. */
function cleanedProperty(schema: unknown): unknown {
  const property = cleaned(schema);
  if (typeof property !== 'object' || property === null || !('default' in property)) return property;
  const { default: value, ...others } = property as { default: unknown; description?: string };
  const description = [others.description, `\`${JSON.stringify(value)}\` by default.`].filter(Boolean).join(' ');
  return { ...others, description };
}

function mapped<T, U>(members: Readonly<Record<string, T>>, each: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, each(value)]));
}

function isForeignPattern(key: string, value: unknown): boolean {
  if (key !== 'pattern' || typeof value !== 'string') return false;
  return NEWER_SYNTAX.test(value) || !['u', ''].every((flags) => succeeds(() => new RegExp(value, flags)));
}

type Responses = Record<string, OpenAPIV3_1.ResponseObject>;

/** Answers that every operation has need not be named by each of them. */
const UNAUTHORIZED = failures('unauthorized', 'invalid_token');
const FAILURE = { $ref: '#/components/responses/Failure' };

/** The paths of all fragments, and the refusals that they share. Two fragments may share a path. */
export function mergedPaths(fragments: readonly OpenApiFragment[]): { paths: Paths; responses: Responses } {
  const paths: Record<string, PathItem> = {};
  const responses: Responses = {};
  for (const fragment of fragments) {
    for (const [path, item] of Object.entries(fragment.paths))
      paths[path] = { ...paths[path], ...(item && withOperations(item, (one) => withCommonFailures(one, responses))) };
  }
  return { paths, responses };
}

function withCommonFailures(operation: OpenAPIV3_1.OperationObject, shared: Responses): OpenAPIV3_1.OperationObject {
  const isPublic = operation.security?.length === 0;
  const all = { ...(isPublic ? {} : UNAUTHORIZED), ...operation.responses };
  const named = Object.entries(all).map(([status, response]) => [status, asComponent(response, shared)]);
  return {
    ...operation,
    responses: { ...(Object.fromEntries(named) as typeof all), '4XX': FAILURE, default: FAILURE },
  };
}

/** A refusal for several reasons becomes a component, since many operations have the same one. */
function asComponent(
  response: OpenAPIV3_1.ReferenceObject | OpenAPIV3_1.ResponseObject,
  shared: Responses,
): OpenAPIV3_1.ReferenceObject | OpenAPIV3_1.ResponseObject {
  const name = '$ref' in response ? null : nameOfErrors(response);
  if (name === null || '$ref' in response) return response;
  shared[name] = response;
  return { $ref: `#/components/responses/${name}` };
}
