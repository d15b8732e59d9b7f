import type { OpenAPIV3_1 } from 'openapi-types';
import { ERROR_STATUS, type ErrorName } from '../errors/catalogue.js';
import { oneOfErrors, pascalCase } from './error-components.js';
import type { SharedHeader, SharedParameter } from './shared-components.js';

type Schema = OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject;

export const schemaRef = (name: string): OpenAPIV3_1.ReferenceObject => ({ $ref: `#/components/schemas/${name}` });

export const parameterRef = (name: SharedParameter): OpenAPIV3_1.ReferenceObject => ({
  $ref: `#/components/parameters/${name}`,
});

/** A parameter of a query, a text unless its schema says otherwise. */
export function query(
  name: string,
  description: string,
  schema: OpenAPIV3_1.ParameterObject['schema'] = { type: 'string' },
): OpenAPIV3_1.ParameterObject {
  return { name, in: 'query', description, schema };
}

/** A text in the path, unless its schema says otherwise. */
export function inPath(
  name: string,
  description: string,
  schema: OpenAPIV3_1.ParameterObject['schema'] = { type: 'string' },
): OpenAPIV3_1.ParameterObject {
  return { name, in: 'path', required: true, description, schema };
}

/** An object that has these properties and no other; it needs all of them, unless `required` names fewer. */
export function objectOf(
  properties: Readonly<Record<string, Schema>>,
  { required = Object.keys(properties), ...rest }: Omit<OpenAPIV3_1.NonArraySchemaObject, 'type'> = {},
): OpenAPIV3_1.SchemaObject {
  const needed = required.length > 0 ? { required } : {};
  return { type: 'object', ...needed, additionalProperties: false, properties: { ...properties }, ...rest };
}

export function jsonBody(schema: Schema, example?: unknown): OpenAPIV3_1.RequestBodyObject {
  const media = example === undefined ? { schema } : { schema, example };
  return { required: true, content: { 'application/json': media } };
}

/** A body that the form of a page may send as well. */
export function jsonOrFormBody(schema: Schema, example: unknown): OpenAPIV3_1.RequestBodyObject {
  const media = { schema, example };
  return { required: true, content: { 'application/json': media, 'application/x-www-form-urlencoded': media } };
}

export function formBody(schema: Schema, example: unknown): OpenAPIV3_1.RequestBodyObject {
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema, example } } };
}

/** In examples: the token of a mailed link, of its length. */
export const LINK_TOKEN_EXAMPLE = 'q8Vw3kTz5LhYxN1rJ7cFbM2sDgP6uAeXoKiR4tHnZ0Q';
/** In examples: a password that would be accepted. */
export const PASSWORD_EXAMPLE = 'four quiet owls at dusk';

/** A good answer with a JSON body and, where it has some, headers of its own. */
export function answer(description: string, schema: Schema, ...headers: SharedHeader[]): OpenAPIV3_1.ResponseObject {
  return { description, ...withHeaders(headers), content: { 'application/json': { schema } } };
}

/** A good answer in JSON, which a browser is shown as a page. */
export function answerOrPage(description: string, schema: Schema): OpenAPIV3_1.ResponseObject {
  return { description, content: { 'application/json': { schema }, 'text/html': HTML } };
}

export function emptyAnswer(description: string, ...headers: SharedHeader[]): OpenAPIV3_1.ResponseObject {
  return { description, ...withHeaders(headers) };
}

/** For the `responses` of what answers with an `ETag`. */
export const NOT_MODIFIED: OpenAPIV3_1.ResponsesObject = { 304: { $ref: '#/components/responses/NotModified' } };

/** `{ data: … }` around a schema. */
export function enveloped(data: Schema): OpenAPIV3_1.SchemaObject {
  return objectOf({ data });
}

/** `{ data: […], meta: … }` around the schema of the items. */
export function listed(items: Schema): OpenAPIV3_1.SchemaObject {
  return objectOf({ data: { type: 'array', items }, meta: schemaRef('ListMeta') });
}

/** The refusals of an operation by status. `unauthorized`, `invalid_token` and those of all operations are added elsewhere. */
export function failures(...names: ErrorName[]): OpenAPIV3_1.ResponsesObject {
  return byStatus(names, (status, group) => (group.length === 1 ? responseRef(group[0]) : oneOfErrors(status, group)));
}

export const LIMIT_HEADERS = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const satisfies readonly SharedHeader[];

/** The refusals of what takes a form as well, which is answered with a page. */
export function failuresOrPage(...names: ErrorName[]): OpenAPIV3_1.ResponsesObject {
  return byStatus(names, (status, group) => {
    const { content, ...others } = oneOfErrors(status, group);
    return { ...others, content: { ...content, 'text/html': HTML } };
  });
}

export const HTML: OpenAPIV3_1.MediaTypeObject = { schema: { type: 'string' } };

type Names = readonly [ErrorName, ...ErrorName[]];

function byStatus<Response>(
  names: readonly ErrorName[],
  describe: (status: number, group: Names) => Response,
): Record<string, Response> {
  const groups = new Map<number, Names>();
  for (const name of names) {
    const status = ERROR_STATUS[name];
    const group = groups.get(status);
    groups.set(status, group ? [...group, name] : [name]);
  }
  return Object.fromEntries([...groups].map(([status, group]) => [String(status), describe(status, group)]));
}

const responseRef = (name: ErrorName): OpenAPIV3_1.ReferenceObject => ({
  $ref: `#/components/responses/${pascalCase(name)}`,
});

function withHeaders(names: readonly SharedHeader[]): Pick<OpenAPIV3_1.ResponseObject, 'headers'> {
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}
