import type { OpenAPIV3_1 } from 'openapi-types';
import type { ErrorName } from '../common/errors/catalogue.js';
import {
  answer,
  emptyAnswer,
  failures,
  jsonBody,
  NOT_MODIFIED,
  parameterRef,
  schemaRef,
} from '../common/openapi/describe.js';
import type { DescribeApiOfType, OpenApiFragment, PathItem, Paths } from '../common/openapi/openapi.registry.js';
import type { TypeNames } from '../common/openapi/type-names.js';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { isReference, type Field } from '../content-types/kinds/field.js';
import {
  listParameters,
  readParameters,
  recordParameter,
  RECORD_PARAMETERS,
  typeParameters,
} from './openapi/parameters.js';
import { answerSchemas, fieldSchemas, SHARED_SCHEMAS } from './openapi/schemas.js';
import { kindOf } from '../content-types/kinds/kinds.js';

/** A small body that creates a record of a type; `null` where what is required cannot be made up. */
function sampleBody({ fields }: CompiledType): Record<string, unknown> | null {
  const required = fields.filter((field) => field.required && field.default === undefined);
  const own = required.map((field) => [field.name, sampleOf(field)] as const);
  if (own.some(([, value]) => value === undefined)) return null;
  return { title: 'Hello world', body: '# Hello', status: 'draft', ...Object.fromEntries(own) };
}

/** Nothing is made up for a pattern, nor for a relation, whose record would have to exist. */
function sampleOf(field: Field): unknown {
  return field.pattern === undefined && !isReference(field) ? kindOf(field.type).sample(field) : undefined;
}

type Operation = OpenAPIV3_1.OperationObject;

/** One type, and what it is called in the document. */
interface Described {
  readonly type: CompiledType;
  readonly names: TypeNames;
}

const PUBLIC = 'A published record takes `records:publish` too.';
const UNREAD =
  'Without `records:read` the answer has `id`, `type`, `version`, the times and what was sent, and no more.';
const FILTERS = 'Of the `filter[…]` all must hold; `filter[title]=Hello` is short for `filter[title][eq]=Hello`.';

/** Reasons to refuse a body, whatever it is for. */
const BODY_FAILURES = [
  'malformed_json',
  'invalid_query',
  'insufficient_scope',
  'slug_taken',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
] as const satisfies ErrorName[];

/** Schemas that the descriptions of all types refer to. */
export const RECORDS_API: OpenApiFragment = { paths: {}, schemas: SHARED_SCHEMAS, parameters: RECORD_PARAMETERS };

/** The routes of the records of a content type, as concrete paths. */
export function describeRecords(
  types: readonly CompiledType[],
  names: ReadonlyMap<string, TypeNames>,
): DescribeApiOfType {
  const all = new Map(types.map((type) => [type.name, type]));
  const relations = new Map(types.map(({ name, fields }) => [name, fields.filter(isReference)]));
  return (name) => {
    const type = all.get(name);
    const own = names.get(name);
    if (!type || !own) return { paths: {} };
    return {
      tags: [{ name: recordsTag(type), description: type.description || `${type.label_plural}.` }],
      paths: typePaths({ type, names: own }),
      longSchemas: fieldSchemas(type, own, names),
      schemas: answerSchemas(own),
      parameters: typeParameters(type, own, relations),
    };
  };
}

/** The group of everything about the records of one type. */
export function recordsTag({ name }: { readonly name: string }): string {
  return `Records: ${name}`;
}

function typePaths(described: Described): Paths {
  const { type, names } = described;
  const collection = `/api/cms/${type.name}`;
  const parameters = [recordParameter('RecordId'), recordParameter('Locale')];
  const records = {
    operationId: names.operations.list,
    summary: `List ${type.label_plural}`,
    description: `${needs(type, 'records:read')} Unpublished ones are in it with \`drafts:read\` only. ${FILTERS}`,
  };
  const trash = {
    operationId: names.operations.listTrash,
    summary: `List the trash of ${type.label_plural}`,
    description: `${needs(type, 'records:delete')} Takes \`records:read\` and \`drafts:read\` too.`,
  };
  return {
    [collection]: {
      get: list(described, records, 'A page of them; with `fields`, only that part of each.'),
      post: create(described),
    },
    [`${collection}/{id}`]: { parameters, get: get(described), ...writes(described) },
    [`${collection}/{id}/restore`]: { parameters, post: restore(described) },
    [`${collection}/-/trash`]: { get: list(described, trash, 'A page of what was deleted.') },
  };
}

function list(
  { type, names }: Described,
  said: { readonly operationId: string; readonly summary: string; readonly description: string },
  page: string,
): Operation {
  return {
    tags: [recordsTag(type)],
    ...said,
    parameters: listParameters(type, names),
    responses: {
      200: answer(page, schemaRef(names.list), 'ETag'),
      ...NOT_MODIFIED,
      ...failures('invalid_query', 'invalid_cursor', 'insufficient_scope'),
    },
  };
}

function create({ type, names }: Described): Operation {
  return {
    tags: [recordsTag(type)],
    operationId: names.operations.create,
    summary: `Create: ${type.label}`,
    description: `${needs(type, 'records:create')} To publish at once takes \`records:publish\` too.`,
    parameters: [parameterRef('IdempotencyKey')],
    requestBody: jsonBody(schemaRef(names.create), sampleBody(type) ?? undefined),
    responses: {
      201: answer('The new record.', schemaRef(names.answer), 'ETag', 'Location', 'Idempotent-Replayed'),
      ...failures(...BODY_FAILURES, 'malformed_request', 'record_not_found', 'idempotency_key_reused'),
    },
  };
}

function get({ type, names }: Described): Operation {
  return {
    tags: [recordsTag(type)],
    operationId: names.operations.get,
    summary: `Read: ${type.label}`,
    description: `${needs(type, 'records:read')} An unpublished one is not found without \`drafts:read\`.`,
    parameters: readParameters(type, names),
    responses: {
      200: answer('The record; with `fields`, only that part of it.', schemaRef(names.answer), 'ETag'),
      ...NOT_MODIFIED,
      ...failures('invalid_query', 'insufficient_scope', 'record_not_found', 'record_damaged'),
    },
  };
}

function writes({ type, names }: Described): PathItem {
  const update = {
    tags: [recordsTag(type)],
    summary: `Change: ${type.label}`,
    description: `Fields that are not sent stay, \`null\` clears one. ${needs(type, 'records:update')} ${PUBLIC} ${UNREAD}`,
    parameters: [parameterRef('IfMatch')],
    requestBody: jsonBody(schemaRef(names.update), { title: 'Hello again' }),
    responses: {
      200: answer('The record as it is now.', schemaRef(names.answer), 'ETag'),
      ...failures(...BODY_FAILURES, 'record_not_found', 'record_damaged', 'version_conflict'),
    },
  };
  const remove = {
    tags: [recordsTag(type)],
    operationId: names.operations.delete,
    summary: `Delete: ${type.label}`,
    description: `Into the trash, from where it can be restored for 30 days. ${needs(type, 'records:delete')}`,
    parameters: [recordParameter('Permanent'), parameterRef('IfMatch')],
    responses: {
      204: emptyAnswer('Deleted.'),
      ...failures('invalid_query', 'insufficient_scope', 'record_not_found', 'version_conflict'),
    },
  };
  return {
    put: { ...update, operationId: names.operations.update },
    patch: { ...update, operationId: names.operations.patch, description: `The same as PUT. ${update.description}` },
    delete: remove,
  };
}

function restore({ type, names }: Described): Operation {
  return {
    tags: [recordsTag(type)],
    operationId: names.operations.restore,
    summary: `Restore: ${type.label}`,
    description: `Out of the trash; a record that is not there stays as it is. A slug that was taken meanwhile gets a number, and a value of a unique field that was taken is left out; what lacks a required value comes back as a draft. Both are named in \`meta.restore.skipped\`. ${needs(type, 'records:delete')} ${UNREAD}`,
    parameters: [parameterRef('IfMatch')],
    responses: {
      200: answer('The record as it is now.', schemaRef(names.restored), 'ETag'),
      ...failures('invalid_query', 'insufficient_scope', 'record_not_found', 'record_damaged', 'version_conflict'),
    },
  };
}

function needs({ name }: CompiledType, scope: string): string {
  return `Needs \`${scope}\` or \`${scope}:${name}\`.`;
}
