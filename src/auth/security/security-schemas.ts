import type { OpenAPIV3_1 } from 'openapi-types';
import { AUDIT_EVENTS, AUDIT_OUTCOMES } from '../../audit/audit-event.js';
import { schemaRef } from '../../common/openapi/describe.js';

type Schema = OpenAPIV3_1.SchemaObject;
type Properties = Readonly<Record<string, Schema | OpenAPIV3_1.ReferenceObject>>;

const TIME: Schema = { type: 'string', format: 'date-time' };

function object(description: string, properties: Properties): Schema {
  return {
    type: 'object',
    description,
    required: Object.keys(properties),
    additionalProperties: false,
    properties: { ...properties },
  };
}

function textOrNull(description: string): Schema {
  return { type: ['string', 'null'], description };
}

function list(items: Schema | OpenAPIV3_1.ReferenceObject): Schema {
  return { type: 'array', items };
}

const event = object('What happened to the account. Names of others are not shown.', {
  id: { type: 'integer' },
  at: TIME,
  event: { type: 'string', enum: [...AUDIT_EVENTS] },
  outcome: { type: 'string', enum: [...AUDIT_OUTCOMES] },
  by: { type: 'string', enum: ['user', 'administrator'] },
  session_id: textOrNull('The session it belongs to.'),
  ip: textOrNull('Address of the client.'),
  user_agent: textOrNull('At most 255 characters.'),
  provider: textOrNull('Where the user signed in, if elsewhere: `google`.'),
  reason: textOrNull('Why it failed.'),
});

/** Schemas of what opens an account. */
export const securitySchemas: Readonly<Record<string, Schema>> = {
  AccountSecurity: object('What opens an account, and what happened to it last.', {
    has_password: { type: 'boolean' },
    sessions: list(schemaRef('Session')),
    identities: list(schemaRef('Identity')),
    tokens: list(schemaRef('ApiToken')),
    events: list(event),
  }),
};
