import type { OpenAPIV3_1 } from 'openapi-types';
import { answer, failures, listed, parameterRef, schemaRef } from '../common/openapi/describe.js';
import type { OpenApiFragment } from '../common/openapi/openapi.registry.js';
import { AUDIT_EVENTS, AUDIT_OUTCOMES } from './audit-event.js';

const TAG = 'Audit';

function textOrNull(description: string): OpenAPIV3_1.SchemaObject {
  return { type: ['string', 'null'], description };
}

function filter(
  name: string,
  description: string,
  schema: OpenAPIV3_1.ParameterObject['schema'],
): OpenAPIV3_1.ParameterObject {
  return { name, in: 'query', description, schema };
}

const properties: Record<string, OpenAPIV3_1.SchemaObject> = {
  id: { type: 'integer' },
  at: { type: 'string', format: 'date-time' },
  event: { type: 'string', enum: [...AUDIT_EVENTS] },
  outcome: { type: 'string', enum: [...AUDIT_OUTCOMES] },
  user_id: { type: ['integer', 'null'], description: 'Whom it is about.' },
  email: textOrNull('The address of that user, or `hmac:` and a keyed hash of what was typed.'),
  session_id: textOrNull('The session it belongs to.'),
  actor: {
    type: ['object', 'null'],
    description: 'Who did it, if that is known.',
    required: ['kind', 'id', 'name'],
    additionalProperties: false,
    properties: {
      kind: { type: 'string', enum: ['token', 'user'] },
      id: { type: ['integer', 'null'], description: '`null`: a token of the configuration, or the command line.' },
      name: { type: 'string' },
    },
  },
  ip: textOrNull('Address of the client.'),
  user_agent: textOrNull('At most 255 characters.'),
  request_id: textOrNull('The id that the log has for the request.'),
  provider: textOrNull('The provider of that sign-in, if there was one: `google`.'),
  reason: textOrNull('Why it failed.'),
  details: {
    type: ['object', 'null'],
    additionalProperties: true,
    description:
      'Further details, such as `new_device` of a sign-in, `service_tokens` that remain, and `requests` and `routes` of refusals that are summed up.',
  },
};

const INSTANT: OpenAPIV3_1.ParameterObject['schema'] = { type: 'string' };

const list: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'listAuditEvents',
  summary: 'List events of the audit',
  description: 'The newest first, without a total; `next_cursor` leads on. Needs `audit:read`.',
  parameters: [
    parameterRef('PerPage'),
    filter('cursor', 'The `next_cursor` of the page before.', { type: 'string' }),
    filter('event', 'Only these.', { type: 'string', enum: [...AUDIT_EVENTS] }),
    filter('outcome', 'Only those that ended so.', { type: 'string', enum: [...AUDIT_OUTCOMES] }),
    filter('user_id', 'About this user.', { type: 'integer' }),
    filter('session_id', 'Of this session.', { type: 'string', maxLength: 64 }),
    filter('ip', 'From this address, however it is spelled.', { type: 'string' }),
    filter('since', 'At this moment or later: `2030-01-31T00:00:00Z`.', INSTANT),
    filter('until', 'Before this moment: `2030-01-31T00:00:00Z`.', INSTANT),
  ],
  responses: {
    200: answer('The events.', listed(schemaRef('AuditEvent'))),
    ...failures('invalid_query', 'invalid_cursor', 'insufficient_scope'),
  },
};

/** The route `/api/admin/audit`. */
export const AUDIT_API: OpenApiFragment = {
  tags: [{ name: TAG, description: 'What happened to accounts and credentials. It is only ever added to.' }],
  schemas: {
    AuditEvent: {
      type: 'object',
      required: Object.keys(properties),
      additionalProperties: false,
      properties,
    },
  },
  paths: { '/api/admin/audit': { get: list } },
};
