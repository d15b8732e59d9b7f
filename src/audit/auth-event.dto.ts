import type { OpenAPIV3_1 } from 'openapi-types';
import { objectOf } from '../common/openapi/describe.js';
import { named } from '../common/openapi/endpoint.js';
import { AUDIT_EVENTS, AUDIT_OUTCOMES } from './audit-event.js';
import type { AuthEvent } from './auth-event.entity.js';

const textOrNull = (description: string): OpenAPIV3_1.SchemaObject => ({ type: ['string', 'null'], description });

export const AUDIT_EVENT_PARTS = {
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
} satisfies Record<keyof AuthEventDto, OpenAPIV3_1.SchemaObject>;

/** {@link AuthEventDto} in the description of the API. */
export const AUDIT_EVENT = named('AuditEvent', objectOf(AUDIT_EVENT_PARTS));

/** An event of the audit as the API shows it. */
export type AuthEventDto = ReturnType<typeof shownEvent>;

export function shownEvent(event: AuthEvent) {
  const { actorKind: kind, actorId: id, actorName: name } = event;
  return {
    id: event.id,
    at: new Date(event.at).toISOString(),
    event: event.event,
    outcome: event.outcome,
    user_id: event.userId,
    email: event.email,
    session_id: event.sessionId,
    actor: kind === null ? null : { kind, id, name: name ?? '' },
    ip: event.ip,
    user_agent: event.userAgent,
    request_id: event.requestId,
    provider: event.provider,
    reason: event.reason,
    // Written by ourselves, as an object.
    details: event.details === null ? null : (JSON.parse(event.details) as object),
  };
}
