import type { OpenAPIV3_1 } from 'openapi-types';
import { answer, enveloped, failures, schemaRef } from '../common/openapi/describe.js';
import { DERIVED_INDEX_STATES, MOST_CHANGES_COUNTED, REFUSAL_REASONS } from '../common/derived-indexes.js';
import type { OpenApiFragment } from '../common/openapi/openapi.registry.js';

const TIME: OpenAPIV3_1.SchemaObject = { type: 'string', format: 'date-time' };

function described(properties: Record<string, OpenAPIV3_1.SchemaObject>): OpenAPIV3_1.SchemaObject {
  return { type: 'object', required: Object.keys(properties), additionalProperties: false, properties };
}

const INSTANCE = described({
  id: { type: 'string', format: 'uuid', description: 'New with each start.' },
  version: { type: 'string', description: 'Of the program.' },
  schema: { type: 'string', description: 'The newest migration that the program knows.' },
  host: { type: 'string', description: 'The name of its machine or container.' },
  started_at: TIME,
  seen_at: {
    ...TIME,
    description: 'At most some ten seconds ago. One that is alone on a file of SQLite keeps its first.',
  },
});

const LEASE = described({
  name: { type: 'string', description: 'What one instance does at a time.' },
  instance: { type: ['string', 'null'], description: 'Who does it; `null`: none of the instances, at the moment.' },
  epoch: { type: 'integer', description: 'How often it has changed hands.' },
  until: {
    type: ['string', 'null'],
    format: 'date-time',
    description:
      'From when on another instance may take it. Not renewed in a file of SQLite. `null`: it was given back.',
  },
});

const COUNT: OpenAPIV3_1.SchemaObject = { type: 'integer', minimum: 0 };

const POOL = {
  active: COUNT,
  idle: COUNT,
  held: { ...COUNT, description: 'Busy with a statement that was not answered in time.' },
  connecting: COUNT,
  waiting: { ...COUNT, description: 'Callers that wait for a connection.' },
} satisfies Record<string, OpenAPIV3_1.SchemaObject>;

const DATABASE = described({
  hosts: {
    type: 'array',
    description: 'The servers of the database in their order; none of a file.',
    items: described({
      name: { type: 'string' },
      is_current: { type: 'boolean', description: 'Whether it is written to.' },
      is_answering: { type: 'boolean' },
    }),
  },
  pools: { type: 'array', items: described({ name: { type: 'string' }, ...POOL }) },
  replicas: {
    type: 'array',
    items: described({
      name: { type: 'string' },
      is_read: { type: 'boolean', description: 'Whether it may be: it answers, and is not too far behind.' },
      lag_seconds: {
        type: ['number', 'null'],
        description:
          'How old what it has was when it was last looked at, up to a second too much; `null`: it does not answer.',
      },
      pool: described(POOL),
    }),
  },
});

const INDEX = described({
  name: { type: 'string', description: '`opensearch` (`SEARCH_URL`) or `local` (`SEARCH_INDEX`).' },
  state: {
    type: 'string',
    enum: [...DERIVED_INDEX_STATES],
    description:
      '`building`: not complete yet. `behind`: it lacks a change that is older than a minute. `unreachable`: it does not answer. `refused`: for a reason.',
  },
  reason: {
    type: ['string', 'null'],
    enum: [...REFUSAL_REASONS, null],
    description: 'Of `refused`: another database has its name, or a newer release has made it.',
  },
  changes_behind: {
    type: ['integer', 'null'],
    minimum: 0,
    maximum: MOST_CHANGES_COUNTED,
    description: `Changes that it lacks, counted up to ${MOST_CHANGES_COUNTED}; \`null\`: unknown.`,
  },
  oldest_seconds: {
    type: ['number', 'null'],
    minimum: 0,
    description: 'Age of the oldest change that it lacks; 0: it lacks none; `null`: unknown.',
  },
});

/** The description of the routes of health checks. */
export const HEALTH_API: OpenApiFragment = {
  tags: [{ name: 'Health', description: 'For load balancers, orchestrators and administrators.' }],
  schemas: {
    Health: {
      type: 'object',
      required: ['status'],
      additionalProperties: false,
      properties: { status: { const: 'ok' } },
    },
    Instances: described({
      instance: { type: 'string', format: 'uuid', description: 'The one that has answered.' },
      instances: { type: 'array', items: INSTANCE, description: 'Those that live, the oldest first.' },
      leases: { type: 'array', items: LEASE },
      database: { ...DATABASE, description: 'As the instance that has answered sees it.' },
      indexes: {
        type: 'array',
        items: INDEX,
        description:
          'Indexes beside the database, as the instance that has answered sees them; none where there are none.',
      },
    }),
  },
  paths: {
    '/api/admin/health': {
      get: {
        operationId: 'getInstances',
        tags: ['Health'],
        summary: 'Which instances are there?',
        description:
          'The processes of the service on its database, and which of them does what one does for all. Needs `*`.',
        responses: {
          '200': answer('The instances.', enveloped(schemaRef('Instances'))),
          ...failures('insufficient_scope'),
        },
      },
    },
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
          'Send requests elsewhere while this fails: the service is stopping, or its database does not answer or has another time. ' +
          'Asks nothing itself: a probe reads a table each second.',
        security: [],
        responses: { '200': answer('They may.', schemaRef('Health')), ...failures('not_ready') },
      },
    },
  },
};
