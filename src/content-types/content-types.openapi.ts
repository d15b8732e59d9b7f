import type { OpenAPIV3_1 } from 'openapi-types';
import {
  answer,
  emptyAnswer,
  enveloped,
  failures,
  FRESH_SIGN_IN_FAILURES,
  jsonBody,
  NOT_MODIFIED,
  parameterRef,
  schemaRef,
} from '../common/openapi/describe.js';
import type { OpenApiFragment } from '../common/openapi/openapi.registry.js';
import type { JsonSchema } from '../common/schema/json-schema.js';
import { STATUSES } from './definition/content-type.js';
import { FIELD_INPUT, typeInput } from './definition/definition-schema.js';

const TIME: JsonSchema = { type: 'string', format: 'date-time' };
const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
const FIELD_REF: JsonSchema = { $ref: '#/components/schemas/FieldInput' };

const FIELD: JsonSchema = {
  ...FIELD_INPUT,
  description: 'One field of a content type.',
  properties: {
    ...(FIELD_INPUT.properties as object),
    building: { type: 'boolean', description: 'Its index is being filled: it cannot be filtered or sorted by yet.' },
  },
  required: ['id', 'name', 'type', 'label', 'required', 'unique', 'indexed', 'searchable'],
};

function contentType(): JsonSchema {
  const { properties } = typeInput('create', { $ref: '#/components/schemas/Field' });
  const own = properties;
  return {
    type: 'object',
    description: 'A content type: which fields its records have, and how they are treated.',
    properties: {
      ...own,
      counts: {
        type: 'object',
        description: 'Records by status, as far as the caller may see them.',
        properties: Object.fromEntries(STATUSES.map((status) => [status, COUNT])),
        additionalProperties: false,
      },
      version: { type: 'integer', minimum: 1 },
      created_at: TIME,
      updated_at: TIME,
    },
    required: [...Object.keys(own), 'version', 'created_at', 'updated_at'],
    additionalProperties: false,
  };
}

const LIST: JsonSchema = {
  type: 'object',
  required: ['data', 'meta'],
  additionalProperties: false,
  properties: {
    data: { type: 'array', items: { $ref: '#/components/schemas/ContentType' } },
    meta: {
      type: 'object',
      description: 'All types are on one page.',
      required: ['total', 'per_page', 'current_page', 'last_page'],
      additionalProperties: false,
      properties: {
        total: COUNT,
        per_page: { type: 'integer', minimum: 1 },
        current_page: { const: 1 },
        last_page: { const: 1 },
      },
    },
  },
};

/** Schemas of content types, by the names that the description of the API gives them. */
const contentTypeSchemas = {
  ContentType: contentType(),
  ContentTypeList: LIST,
  ContentTypeInput: { ...typeInput('create', FIELD_REF), description: 'A content type that is to be created.' },
  ContentTypeChange: { ...typeInput('update', FIELD_REF), description: 'The parts to change; the rest stays.' },
  Field: FIELD,
  FieldInput: FIELD_INPUT,
} as Readonly<Record<string, OpenAPIV3_1.SchemaObject>>; // JSON Schemas, which is what OpenAPI 3.1 takes

/** `{type}` in a path. */
const TYPE_NAME: OpenAPIV3_1.ParameterObject = {
  name: 'type',
  in: 'path',
  required: true,
  description: 'Name of the content type.',
  schema: { type: 'string' },
  example: 'post',
};

const TAG = 'Content types';

const CONFIRM: OpenAPIV3_1.ParameterObject = {
  name: 'confirm',
  in: 'query',
  description: 'The name of the type, sent again: a loss of content is meant.',
  schema: { type: 'string' },
};

const EXAMPLE = {
  name: 'recipe',
  label: 'Recipe',
  fields: [
    { name: 'minutes', type: 'integer', min: 1, indexed: true },
    { name: 'ingredients', type: 'list', of: 'string', required: true },
  ],
};

const CHANGE = { label: 'Dish', description: 'What we cook.' };

function list(operationId: string, summary: string, description: string): OpenAPIV3_1.OperationObject {
  return {
    tags: [TAG],
    operationId,
    summary,
    description,
    parameters: [parameterRef('IfNoneMatch')],
    responses: {
      200: answer('All of them, by name.', schemaRef('ContentTypeList'), 'ETag'),
      ...NOT_MODIFIED,
      ...failures('invalid_query', 'insufficient_scope'),
    },
  };
}

function read(operationId: string, summary: string, description: string): OpenAPIV3_1.OperationObject {
  return {
    tags: [TAG],
    operationId,
    summary,
    description,
    parameters: [TYPE_NAME, parameterRef('IfNoneMatch')],
    responses: {
      200: answer('The type.', enveloped(schemaRef('ContentType')), 'ETag'),
      ...NOT_MODIFIED,
      ...failures('invalid_query', 'insufficient_scope', 'type_not_found'),
    },
  };
}

const create: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'createContentType',
  summary: 'Create a content type',
  description: 'It can be used at once. Needs `types:write`.',
  requestBody: jsonBody(schemaRef('ContentTypeInput'), EXAMPLE),
  responses: {
    201: answer('The new type.', enveloped(schemaRef('ContentType')), 'ETag', 'Location'),
    ...failures('malformed_json', 'invalid_query', 'insufficient_scope', 'type_exists', 'validation_failed'),
  },
};

const change: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'updateContentType',
  summary: 'Change a content type',
  description:
    'Parts that you do not send stay. `fields`, if it is sent, is the whole list in its order: a field is known by its `id`, or else by its name; one that is missing is removed. ' +
    'A change that records would suffer from is refused with their number unless it is confirmed; values stay as they are until their record is written again. Needs `types:write`.',
  parameters: [TYPE_NAME, CONFIRM, parameterRef('IfMatch')],
  requestBody: jsonBody(schemaRef('ContentTypeChange'), CHANGE),
  responses: {
    200: answer('The type as of now.', enveloped(schemaRef('ContentType')), 'ETag'),
    ...failures(
      'malformed_json',
      'invalid_query',
      ...FRESH_SIGN_IN_FAILURES,
      'insufficient_scope',
      'type_not_found',
      'type_in_use',
      'version_conflict',
      'validation_failed',
    ),
  },
};

const remove: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'deleteContentType',
  summary: 'Delete a content type',
  description: 'A type that has records, the trash included, goes only when that is confirmed. Needs `types:write`.',
  parameters: [TYPE_NAME, CONFIRM],
  responses: {
    204: emptyAnswer('It is deleted.'),
    ...failures(
      'invalid_query',
      ...FRESH_SIGN_IN_FAILURES,
      'insufficient_scope',
      'type_not_found',
      'type_not_empty',
      'type_in_use',
    ),
  },
};

const COUNTED = 'With the number of records that the caller may see. Needs `records:read`.';
const DEFINED = 'As it is defined, without numbers of records; the `ETag` is its version. Needs `types:write`.';

/** The description of the routes of content types. */
export const CONTENT_TYPES_API: OpenApiFragment = {
  tags: [{ name: TAG, description: 'Which kinds of records there are, and of what fields they consist.' }],
  schemas: contentTypeSchemas,
  paths: {
    '/api/cms/types': { get: list('listContentTypes', 'List content types', COUNTED) },
    '/api/cms/types/{type}': { get: read('getContentType', 'Read a content type', COUNTED) },
    '/api/admin/types': {
      get: list(
        'listContentTypeDefinitions',
        'List definitions of content types',
        'As they are defined, without numbers of records. Needs `types:write`.',
      ),
      post: create,
    },
    '/api/admin/types/{type}': {
      get: read('getContentTypeDefinition', 'Read the definition of a content type', DEFINED),
      put: change,
      delete: remove,
    },
  },
};
