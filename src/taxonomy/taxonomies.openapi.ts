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
import type { Paths } from '../common/openapi/openapi.registry.js';

export const TAG = 'Taxonomy';

export const TAXONOMY_PARAMETER: OpenAPIV3_1.ParameterObject = {
  name: 'taxonomy',
  in: 'path',
  required: true,
  description: 'Name of the taxonomy.',
  schema: { type: 'string' },
  example: 'category',
};

const CONFIRM: OpenAPIV3_1.ParameterObject = {
  name: 'confirm',
  in: 'query',
  description: 'The name of the taxonomy, sent again: its terms may go too.',
  schema: { type: 'string' },
};

const list: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'listTaxonomies',
  summary: 'List taxonomies',
  description: 'Needs `types:write`.',
  parameters: [parameterRef('IfNoneMatch')],
  responses: {
    200: answer('All of them, by name.', schemaRef('TaxonomyList'), 'ETag'),
    ...NOT_MODIFIED,
    ...failures('invalid_query', 'insufficient_scope'),
  },
};

const create: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'createTaxonomy',
  summary: 'Declare a taxonomy',
  description: 'Content types may name it at once. Needs `types:write`.',
  requestBody: jsonBody(schemaRef('TaxonomyInput'), { name: 'region', label: 'Region', hierarchical: true }),
  responses: {
    201: answer('The new taxonomy.', enveloped(schemaRef('Taxonomy')), 'ETag', 'Location'),
    ...failures('malformed_json', 'invalid_query', 'insufficient_scope', 'taxonomy_exists', 'validation_failed'),
  },
};

const read: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'getTaxonomy',
  summary: 'Read a taxonomy',
  description: 'The `ETag` is its version. Needs `types:write`.',
  parameters: [TAXONOMY_PARAMETER, parameterRef('IfNoneMatch')],
  responses: {
    200: answer('The taxonomy.', enveloped(schemaRef('Taxonomy')), 'ETag'),
    ...NOT_MODIFIED,
    ...failures('invalid_query', 'insufficient_scope', 'taxonomy_not_found'),
  },
};

const change: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'updateTaxonomy',
  summary: 'Change a taxonomy',
  description:
    'Parts that you do not send stay. It cannot become flat while terms stand under others. Needs `types:write`.',
  parameters: [TAXONOMY_PARAMETER, parameterRef('IfMatch')],
  requestBody: jsonBody(schemaRef('TaxonomyChange'), { label: 'Area', label_plural: 'Areas' }),
  responses: {
    200: answer('The taxonomy as of now.', enveloped(schemaRef('Taxonomy')), 'ETag'),
    ...failures(
      'malformed_json',
      'invalid_query',
      'insufficient_scope',
      'taxonomy_not_found',
      'taxonomy_in_use',
      'version_conflict',
      'validation_failed',
    ),
  },
};

const remove: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'deleteTaxonomy',
  summary: 'Delete a taxonomy',
  description:
    'One that content types name stays. One that has terms goes only when that is confirmed. Needs `types:write`.',
  parameters: [TAXONOMY_PARAMETER, CONFIRM],
  responses: {
    204: emptyAnswer('It is deleted.'),
    ...failures(
      'invalid_query',
      ...FRESH_SIGN_IN_FAILURES,
      'insufficient_scope',
      'taxonomy_not_found',
      'taxonomy_not_empty',
      'taxonomy_in_use',
    ),
  },
};

/** The routes under `/api/admin/taxonomies`. */
export const TAXONOMIES_PATHS: Paths = {
  '/api/admin/taxonomies': { get: list, post: create },
  '/api/admin/taxonomies/{taxonomy}': { get: read, put: change, delete: remove },
};
