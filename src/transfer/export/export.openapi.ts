import { failures } from '../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../common/openapi/openapi.registry.js';
import { TYPE_NAME } from '../../content-types/type-parameter.js';

/** Whole types to take away. */
export const EXPORT_API: OpenApiFragment = {
  paths: {
    '/api/cms/{type}/-/export': {
      parameters: [TYPE_NAME],
      get: {
        tags: ['Records'],
        operationId: 'exportRecords',
        summary: 'Export all records of a type',
        description:
          'All records that the caller may see, in the order of their ids, as one stream. Needs `records:read`. ' +
          'An answer that breaks off is not complete.',
        parameters: [
          {
            name: 'format',
            in: 'query',
            description: 'NDJSON has a header line, the type, and a line for each record.',
            schema: { type: 'string', enum: ['ndjson', 'csv'], default: 'ndjson' },
          },
          {
            name: 'status',
            in: 'query',
            description: 'One status, or several with commas between them; otherwise all.',
            schema: { type: 'string' },
            example: 'published',
          },
        ],
        responses: {
          200: {
            description: 'The records.',
            content: {
              'application/x-ndjson': { schema: { type: 'string' } },
              'text/csv': { schema: { type: 'string' } },
            },
          },
          ...failures('invalid_query', 'insufficient_scope', 'type_not_found'),
        },
      },
    },
  },
};
