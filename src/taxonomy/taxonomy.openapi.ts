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
import type { JsonSchema } from '../common/schema/json-schema.js';
import { TAXONOMIES_PATHS, TAG, TAXONOMY_PARAMETER } from './taxonomies.openapi.js';
import { TAXONOMY_CREATE, TAXONOMY_UPDATE } from './taxonomies/taxonomy-input.js';
import { TERM_CREATE, TERM_MERGE, TERM_UPDATE } from './terms/term-input.js';
import { MAX_DEPTH } from './terms/term-keys.js';

const TIME: JsonSchema = { type: 'string', format: 'date-time' };
const COUNT: JsonSchema = { type: 'integer', minimum: 0 };

const TERM_PARTS: Readonly<Record<string, JsonSchema>> = {
  id: { type: 'integer', minimum: 1 },
  type: { type: 'string', description: 'Name of the taxonomy.' },
  name: { type: 'string' },
  slug: { type: 'string' },
  description: { type: ['string', 'null'] },
  parent_id: { type: ['integer', 'null'] },
  path: { type: 'string', description: 'Slugs from the top to the term.', examples: ['news/world'] },
  depth: { type: 'integer', minimum: 1, maximum: MAX_DEPTH, description: '1 for a term without a parent.' },
  position: COUNT,
  count: { ...COUNT, description: 'Records that have the term itself and that the caller may see.' },
  created_at: TIME,
  updated_at: TIME,
};

const CHILDREN: JsonSchema = { type: 'array', items: { $ref: '#/components/schemas/TermNode' } };

const TAXONOMY_PARTS: Readonly<Record<string, JsonSchema>> = {
  ...(TAXONOMY_CREATE.properties as Readonly<Record<string, JsonSchema>>),
  version: { type: 'integer', minimum: 1 },
  created_at: TIME,
  updated_at: TIME,
};

function whole(description: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', description, properties, required: Object.keys(properties), additionalProperties: false };
}

const HIERARCHICAL: JsonSchema = { type: 'boolean', description: 'Whether terms can have terms below them.' };

/** @param most items on a page; absent: all stand on one */
function listOfItems(items: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}, most?: number): JsonSchema {
  const page: JsonSchema = { type: 'integer', minimum: 1 };
  return whole('', {
    data: { type: 'array', items },
    meta: whole('What the list says about itself.', {
      total: COUNT,
      per_page: most === undefined ? page : { ...page, maximum: most },
      current_page: page,
      last_page: page,
      ...more,
    }),
  });
}

const termRef: JsonSchema = { $ref: '#/components/schemas/Term' };
const nodeRef: JsonSchema = { $ref: '#/components/schemas/TermNode' };

/** Schemas of taxonomies and terms, by the names that the description of the API gives them. */
const taxonomySchemas = {
  Term: whole('A term of a taxonomy.', TERM_PARTS),
  TermNode: whole('A term, and the terms below it.', { ...TERM_PARTS, children: CHILDREN }),
  TermList: {
    anyOf: [
      listOfItems(termRef, { hierarchical: HIERARCHICAL }, 1_000),
      listOfItems(nodeRef, { hierarchical: HIERARCHICAL }),
    ],
    description: 'A page of terms, or with `format=tree` all of them in one another.',
  },
  TermInput: TERM_CREATE,
  TermChange: TERM_UPDATE,
  TermMerge: TERM_MERGE,
  Taxonomy: whole('A way to order records by terms.', TAXONOMY_PARTS),
  TaxonomyList: listOfItems({ $ref: '#/components/schemas/Taxonomy' }),
  TaxonomyInput: TAXONOMY_CREATE,
  TaxonomyChange: TAXONOMY_UPDATE,
} as Readonly<Record<string, OpenAPIV3_1.SchemaObject>>; // JSON Schemas, which is what OpenAPI 3.1 takes

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
  query(
    'contains',
    'What stands anywhere in the name; case and marks do not matter. Names that begin so come first, then those with a word that does.',
    { type: 'string', maxLength: 255 },
  ),
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
