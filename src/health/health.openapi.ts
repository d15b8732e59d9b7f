import { answer, failures, schemaRef } from '../common/openapi/describe.js';
import type { OpenApiFragment } from '../common/openapi/openapi.registry.js';

/** The description of the routes of health checks. */
export const HEALTH_API: OpenApiFragment = {
  tags: [{ name: 'Health', description: 'For load balancers and orchestrators.' }],
  schemas: {
    Health: {
      type: 'object',
      required: ['status'],
      additionalProperties: false,
      properties: { status: { const: 'ok' } },
    },
  },
  paths: {
    '/health/live': {
      get: {
        operationId: 'getLiveness',
        tags: ['Health'],
        summary: 'Is the process alive?',
        description: 'Restart the process when this fails. It touches nothing else, so a slow database does not count.',
        security: [],
        responses: { '200': answer('It runs.', schemaRef('Health')) },
      },
    },
    '/health/ready': {
      get: {
        operationId: 'getReadiness',
        tags: ['Health'],
        summary: 'May requests be sent here?',
        description:
          'Send requests elsewhere while this fails: the service is stopping or refuses everything, or its database does not answer or has another time. ' +
          'Asks nothing itself: a probe reads a table each second.',
        security: [],
        responses: { '200': answer('They may.', schemaRef('Health')), ...failures('not_ready') },
      },
    },
  },
};
