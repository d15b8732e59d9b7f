import type { OpenAPIV3_1 } from 'openapi-types';
import type { ErrorName } from '../common/errors/catalogue.js';
import {
  answer,
  emptyAnswer,
  enveloped,
  failures,
  jsonBody,
  listed,
  NOT_MODIFIED,
  parameterRef,
  schemaRef,
} from '../common/openapi/describe.js';
import type { OpenApiFragment, PathItem, Paths } from '../common/openapi/openapi.registry.js';
import type { CompiledType } from '../content-types/content-type.js';
import { apiNames, type ApiNames } from './openapi/names.js';
import { listParameters, PERMANENT, readParameters, RECORD_ID } from './openapi/parameters.js';
import { sampleBody } from './openapi/sample.js';
import { SHARED_SCHEMAS, typeSchemas } from './openapi/schemas.js';

type Operation = OpenAPIV3_1.OperationObject;

/** One type, and what the description of its routes needs to know beside it. */
interface Described {
  readonly type: CompiledType;
  readonly names: ApiNames;
  readonly all: ReadonlyMap<string, CompiledType>;
}

const PUBLIC = 'A published record takes `records:publish` too.';
const UNREAD =
  'Without `records:read` the answer has `id`, `type`, `version`, the times and what was sent, and no more.';

/** Why a body may be refused, whatever it is for. */
const BODY_FAILURES = [
  'malformed_json',
  'insufficient_scope',
  'slug_taken',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
] as const satisfies ErrorName[];

/** The routes of the records of each content type, as concrete paths. */
export function describeRecords(types: readonly CompiledType[], taken: ReadonlySet<string>): OpenApiFragment {
  const names = apiNames(types, new Set([...taken, ...Object.keys(SHARED_SCHEMAS)]));
  const all = new Map(types.map((type) => [type.name, type]));
  const described = types.flatMap((type) => {
    const own = names.get(type.name);
    return own ? [{ type, names: own, all }] : [];
  });
  return {
    tags: types.map((type) => ({ name: tagOf(type), description: type.description || `${type.label_plural}.` })),
    paths: Object.assign({}, ...described.map(typePaths)) as Paths,
    schemas: Object.assign({}, SHARED_SCHEMAS, ...types.map((type) => typeSchemas(type, names))) as NonNullable<
      OpenApiFragment['schemas']
    >,
  };
}

function tagOf({ name }: CompiledType): string {
  return `Records: ${name}`;
}

function typePaths(described: Described): Paths {
  const { type } = described;
  const collection = `/api/cms/${type.name}`;
  const read: PathItem = { parameters: [RECORD_ID], get: get(described), ...writes(described) };
  return {
    [collection]: { get: list(described), post: create(described) },
    [`${collection}/-/trash`]: { get: trash(described) },
    [`${collection}/{id}`]: read,
    [`${collection}/{id}/restore`]: { parameters: [RECORD_ID], post: restore(described) },
  };
}

function list({ type, names, all }: Described): Operation {
  return {
    tags: [tagOf(type)],
    operationId: names.operations.list,
    summary: `List ${type.label_plural}`,
    description: `${needs(type, 'records:read')} Unpublished ones are in it with \`drafts:read\` only.`,
    parameters: listParameters(type, all),
    responses: {
      200: answer('A page of them.', listed(schemaRef(names.part)), 'ETag'),
      ...NOT_MODIFIED,
      ...failures('invalid_query', 'invalid_cursor', 'insufficient_scope'),
    },
  };
}

function create({ type, names }: Described): Operation {
  return {
    tags: [tagOf(type)],
    operationId: names.operations.create,
    summary: `Create: ${type.label}`,
    description: `${needs(type, 'records:create')} To publish at once takes \`records:publish\` too.`,
    requestBody: jsonBody(schemaRef(names.create), sampleBody(type) ?? undefined),
    responses: {
      201: answer('The new record.', enveloped(schemaRef(names.record)), 'ETag', 'Location'),
      ...failures(...BODY_FAILURES),
    },
  };
}

function get({ type, names, all }: Described): Operation {
  return {
    tags: [tagOf(type)],
    operationId: names.operations.get,
    summary: `Read: ${type.label}`,
    description: `${needs(type, 'records:read')} An unpublished one is not found without \`drafts:read\`.`,
    parameters: readParameters(type, all),
    responses: {
      200: answer('The record, or the part that `fields` asks for.', enveloped(schemaRef(names.part)), 'ETag'),
      ...NOT_MODIFIED,
      ...failures('invalid_query', 'insufficient_scope', 'record_not_found'),
    },
  };
}

function writes({ type, names }: Described): PathItem {
  const update = {
    tags: [tagOf(type)],
    summary: `Change: ${type.label}`,
    description: `Fields that are not sent stay, \`null\` clears one. ${needs(type, 'records:update')} ${PUBLIC} ${UNREAD}`,
    parameters: [parameterRef('IfMatch')],
    requestBody: jsonBody(schemaRef(names.update), { title: 'Hello again' }),
    responses: {
      200: answer('The record as it is now.', enveloped(schemaRef(names.record)), 'ETag'),
      ...failures(...BODY_FAILURES, 'record_not_found', 'version_conflict'),
    },
  };
  const remove = {
    tags: [tagOf(type)],
    operationId: names.operations.delete,
    summary: `Delete: ${type.label}`,
    description: `Into the trash, from where it can be restored for 30 days. ${needs(type, 'records:delete')}`,
    parameters: [PERMANENT, parameterRef('IfMatch')],
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

function trash({ type, names, all }: Described): Operation {
  return {
    tags: [tagOf(type)],
    operationId: names.operations.listTrash,
    summary: `List the trash of ${type.label_plural}`,
    description: `${needs(type, 'records:delete')} Takes \`drafts:read\` too.`,
    parameters: listParameters(type, all),
    responses: {
      200: answer('A page of what was deleted.', listed(schemaRef(names.part)), 'ETag'),
      ...NOT_MODIFIED,
      ...failures('invalid_query', 'invalid_cursor', 'insufficient_scope'),
    },
  };
}

function restore({ type, names }: Described): Operation {
  return {
    tags: [tagOf(type)],
    operationId: names.operations.restore,
    summary: `Restore: ${type.label}`,
    description: `Out of the trash. A slug that was taken meanwhile gets a number. ${needs(type, 'records:delete')} ${UNREAD}`,
    parameters: [parameterRef('IfMatch')],
    responses: {
      200: answer('The record as it is now.', enveloped(schemaRef(names.record)), 'ETag'),
      ...failures('invalid_query', 'insufficient_scope', 'record_not_found', 'version_conflict'),
    },
  };
}

function needs({ name }: CompiledType, scope: string): string {
  return `Needs \`${scope}\` or \`${scope}:${name}\`.`;
}
