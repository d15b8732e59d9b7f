import type { OpenAPIV3_1 } from 'openapi-types';
import { answer, failures, parameterRef, schemaRef } from '../common/openapi/describe.js';
import { CONTENT_TYPE_NAME } from '../common/openapi/shared-components.js';
import type { OpenApiFragment } from '../common/openapi/openapi.registry.js';
import { FACETS } from './answers/search-query.js';
import { STATUSES } from '../content-types/definition/content-type.js';

const TIME = { type: 'string', format: 'date-time' } as const;

const HIT: OpenAPIV3_1.SchemaObject = {
  type: 'object',
  required: [
    'id',
    'type',
    'title',
    'slug',
    'status',
    'url',
    'score',
    'excerpt',
    'highlights',
    'published_at',
    'updated_at',
  ],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', minimum: 1 },
    type: CONTENT_TYPE_NAME,
    title: { type: 'string' },
    slug: { type: 'string' },
    status: { type: 'string', enum: [...STATUSES] },
    url: { type: ['string', 'null'], description: 'Where it is on the website.' },
    score: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description:
        'How near a hit comes to the best one of the answer, which has 1; to be compared within one answer only. 0: one of very many, listed by age.',
    },
    excerpt: {
      type: 'string',
      description: 'HTML: the part of the text that answers best, escaped, with `<mark>` around what was found.',
    },
    highlights: {
      type: 'object',
      required: ['title'],
      additionalProperties: false,
      properties: { title: { type: 'string', description: 'HTML: the title, escaped, with `<mark>`.' } },
    },
    published_at: { ...TIME, type: ['string', 'null'] },
    updated_at: TIME,
  },
};

const COUNTS: OpenAPIV3_1.SchemaObject = { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } };

const META: OpenAPIV3_1.SchemaObject = {
  type: 'object',
  required: ['per_page', 'current_page', 'query', 'took_ms'],
  additionalProperties: false,
  properties: {
    total: {
      type: 'integer',
      minimum: 0,
      description: 'All hits that the caller may see, exactly; absent with `count=none`.',
    },
    per_page: { type: 'integer', minimum: 1, maximum: 100 },
    current_page: { type: 'integer', minimum: 1 },
    last_page: { type: 'integer', minimum: 1, description: 'Absent with `count=none`.' },
    query: { type: 'string', description: '`q` as it was sent.' },
    took_ms: { type: 'integer', minimum: 0 },
    suggestion: {
      type: 'string',
      description: 'Only if nothing was found: the words that were probably meant, which would find something.',
    },
    facets: {
      type: 'object',
      description: 'Only if `facets` asks for it.',
      additionalProperties: false,
      properties: {
        type: { ...COUNTS, description: 'Hits by type, whatever `type` is.' },
        status: { ...COUNTS, description: 'Hits by status, whatever `status` is.' },
      },
    },
  },
};

/** What the search says about itself. */
export const SEARCH_API: OpenApiFragment = {
  tags: [{ name: 'Search', description: 'Records by what they say.' }],
  schemas: {
    SearchHit: HIT,
    SearchMeta: META,
    SearchAnswer: {
      type: 'object',
      required: ['data', 'meta'],
      additionalProperties: false,
      properties: { data: { type: 'array', items: schemaRef('SearchHit') }, meta: schemaRef('SearchMeta') },
    },
  },
  paths: {
    '/api/cms/search': {
      get: {
        operationId: 'search',
        tags: ['Search'],
        summary: 'Search',
        description:
          'In titles, names of terms, bodies and searchable fields, in this order of weight; of equals the youngest first. All words must be found, the last one as the beginning of a word. `"several words"` are found side by side, `-word` must not be found. Case and accents do not matter. Needs `records:read`, for all types or for some, and finds records of those; what is not published takes `drafts:read`.',
        parameters: [
          {
            name: 'q',
            in: 'query',
            required: true,
            description: 'What to search for.',
            schema: { type: 'string', minLength: 1, maxLength: 256 },
            example: 'saturn "rings back" -moon',
          },
          {
            name: 'type',
            in: 'query',
            description: 'Only records of these content types.',
            // openapi-types gives parameters the schemas of OpenAPI 3.0.
            schema: { type: 'array', items: CONTENT_TYPE_NAME } as OpenAPIV3_1.ParameterObject['schema'],
          },
          {
            name: 'status',
            in: 'query',
            description: 'Only records of these statuses.',
            schema: { type: 'array', items: { type: 'string', enum: [...STATUSES] } },
          },
          {
            name: 'count',
            in: 'query',
            description:
              '`none` leaves out `total` and `last_page`, for a list that changes while people type. If very many records have all words in the title, the newest of them may come first, not the best ones. Takes neither `page` nor `facets`.',
            schema: { type: 'string', enum: ['exact', 'none'], default: 'exact' },
          },
          {
            name: 'facets',
            in: 'query',
            description:
              'Also counts the hits by these: `type` counts them as if `type` were not sent, `status` likewise.',
            schema: { type: 'array', items: { type: 'string', enum: [...FACETS] } },
          },
          parameterRef('Page'),
          parameterRef('PerPage'),
        ],
        responses: {
          200: answer('A page of hits, the best first.', schemaRef('SearchAnswer')),
          ...failures('invalid_query', 'insufficient_scope', 'type_not_found'),
        },
      },
    },
  },
};
