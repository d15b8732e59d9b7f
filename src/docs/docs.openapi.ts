import type { OpenApiFragment } from '../common/openapi/openapi.registry.js';
import { answer, NOT_MODIFIED, parameterRef, schemaRef } from '../common/openapi/describe.js';

/** What the documentation says about its own routes. */
export const DOCS_API: OpenApiFragment = {
  tags: [{ name: 'Documentation', description: 'What you are reading.' }],
  schemas: {
    OpenApiDocument: {
      type: 'object',
      description: 'An OpenAPI document, as its specification says.',
      additionalProperties: true,
    },
  },
  paths: {
    '/api/openapi.json': {
      get: {
        operationId: 'getOpenApi',
        tags: ['Documentation'],
        summary: 'Read this description',
        description: 'The OpenAPI document. It is current: a content type that was just made is in it.',
        security: [],
        parameters: [parameterRef('IfNoneMatch')],
        responses: {
          '200': answer('The document.', schemaRef('OpenApiDocument'), 'ETag'),
          ...NOT_MODIFIED,
        },
      },
    },
    '/api/docs': {
      get: {
        operationId: 'getDocs',
        tags: ['Documentation'],
        summary: 'Browse this description',
        description: 'A page for people, on which each operation can be tried.',
        security: [],
        responses: {
          '200': { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } },
        },
      },
    },
  },
};
