import type { OpenAPIV3_1 } from 'openapi-types';
import {
  answer,
  emptyAnswer,
  enveloped,
  failures,
  jsonBody,
  NOT_MODIFIED,
  parameterRef,
  schemaRef,
} from '../common/openapi/describe.js';
import type { OpenApiFragment } from '../common/openapi/openapi.registry.js';
import { TAXONOMIES_PATHS } from './taxonomies.openapi.js';
import { TAG, TAXONOMY_PARAMETER } from './taxonomy-parameters.js';
import { taxonomySchemas } from './taxonomy.schemas.js';

const TERM: OpenAPIV3_1.ParameterObject = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the term, or `slug:` and its slug: `slug:news`.',
  schema: { type: 'string' },
};

const query = (
  name: string,
  description: string,
  schema: OpenAPIV3_1.ParameterObject['schema'],
): OpenAPIV3_1.ParameterObject => ({
  name,
  in: 'query',
  description,
  schema,
});

const LIST_PARAMETERS = [
  TAXONOMY_PARAMETER,
  parameterRef('Page'),
  query('per_page', 'Terms on a page. More than 1000 are answered as 1000.', {
    type: 'integer',
    minimum: 1,
    default: 1_000,
  }),
  query('q', 'What the name begins with; case and marks do not matter.', { type: 'string', maxLength: 255 }),
  query('format', '`tree`: all terms, each with those under it as `children`; at most 10,000.', {
    type: 'string',
    enum: ['flat', 'tree'],
    default: 'flat',
  }),
  parameterRef('IfNoneMatch'),
];

const list: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'listTerms',
  summary: 'List the terms of a taxonomy',
  description:
    'In the order of the tree: a term, then those under it; siblings by `position`, then by name. Needs `records:read`.',
  parameters: LIST_PARAMETERS,
  responses: {
    200: answer('The terms.', schemaRef('TermList'), 'ETag'),
    ...NOT_MODIFIED,
    ...failures('invalid_query', 'insufficient_scope', 'taxonomy_not_found'),
  },
};

const create: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'createTerm',
  summary: 'Create a term',
  description: 'Needs `taxonomy:write`.',
  requestBody: jsonBody(schemaRef('TermInput'), { type: 'category', name: 'World', parent_id: 3 }),
  responses: {
    201: answer('The new term.', enveloped(schemaRef('Term')), 'Location'),
    ...failures('malformed_json', 'invalid_query', 'insufficient_scope', 'term_exists', 'validation_failed'),
  },
};

const read: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'getTerm',
  summary: 'Read a term',
  description: 'Needs `records:read`.',
  parameters: [TAXONOMY_PARAMETER, TERM, parameterRef('IfNoneMatch')],
  responses: {
    200: answer('The term.', enveloped(schemaRef('Term')), 'ETag'),
    ...NOT_MODIFIED,
    ...failures('invalid_query', 'insufficient_scope', 'taxonomy_not_found', 'term_not_found'),
  },
};

/** The errors of every route that changes a term. */
const WRITE = ['invalid_query', 'insufficient_scope', 'taxonomy_not_found', 'term_not_found'] as const;

/** `PUT` and `PATCH` do the same. */
function update(operationId: string, summary: string): OpenAPIV3_1.OperationObject {
  return {
    tags: [TAG],
    operationId,
    summary,
    description:
      'Parts that you do not send stay; a request that changes nothing writes nothing. With another `parent_id` the term moves, and ' +
      'terms below it move along; `null`: to the top. Needs `taxonomy:write`.',
    parameters: [TAXONOMY_PARAMETER, TERM],
    requestBody: jsonBody(schemaRef('TermChange'), { name: 'World news', position: 2 }),
    responses: {
      200: answer('The term as of now.', enveloped(schemaRef('Term'))),
      ...failures('malformed_json', ...WRITE, 'term_exists', 'validation_failed'),
    },
  };
}

const remove: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'deleteTerm',
  summary: 'Delete a term',
  description:
    'Terms below it move up. A term that records have is deleted only with `force`, and is removed from them. Needs `taxonomy:write`.',
  parameters: [
    TAXONOMY_PARAMETER,
    TERM,
    query('force', 'Remove the term from the records that have it.', { type: 'boolean', default: false }),
  ],
  responses: { 204: emptyAnswer('It is deleted.'), ...failures(...WRITE, 'term_in_use') },
};

const merge: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'mergeTerm',
  summary: 'Merge a term into another one',
  description:
    'The other one replaces it in all records and above all terms below it. You can send it again. Needs `taxonomy:write`.',
  parameters: [TAXONOMY_PARAMETER, TERM],
  requestBody: jsonBody(schemaRef('TermMerge'), { into: 'news' }),
  responses: {
    200: answer('The term that is left.', enveloped(schemaRef('Term'))),
    ...failures('malformed_json', ...WRITE, 'validation_failed'),
  },
};

/** The description of the routes of taxonomies. */
export const TAXONOMY_API: OpenApiFragment = {
  tags: [{ name: TAG, description: 'Categories, tags and further ways to order records.' }],
  schemas: taxonomySchemas,
  paths: {
    '/api/cms/taxonomy': { post: create },
    '/api/cms/taxonomy/{taxonomy}': { get: list },
    '/api/cms/taxonomy/{taxonomy}/{id}': {
      get: read,
      put: update('updateTerm', 'Change or move a term'),
      patch: update('patchTerm', 'Change or move a term, by another verb'),
      delete: remove,
    },
    '/api/cms/taxonomy/{taxonomy}/{id}/merge': { post: merge },
    ...TAXONOMIES_PATHS,
  },
};
