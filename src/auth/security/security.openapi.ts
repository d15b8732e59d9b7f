import type { OpenAPIV3_1 } from 'openapi-types';
import {
  answer,
  answerOrPage,
  emptyAnswer,
  enveloped,
  failures,
  failuresOrPage,
  jsonOrFormBody,
  LIMIT_HEADERS,
  parameterRef,
  schemaRef,
  LINK_TOKEN_EXAMPLE,
} from '../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../common/openapi/openapi.registry.js';
import { LINK_TOKEN } from '../proofs/challenges/challenge-schemas.js';
import { formPage } from '../pages/pages.openapi.js';
import { USERS_TAG } from '../../users/users.openapi.js';
import { SIGN_IN_TAG } from '../methods/sign-in-tag.js';
import { AUDIT_EVENTS, AUDIT_OUTCOMES } from '../../audit/audit-event.js';

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
  provider: textOrNull('The provider of that sign-in, if there was one: `google`.'),
  reason: textOrNull('Why it failed.'),
});

/** Schemas of what opens an account. */
const securitySchemas: Readonly<Record<string, Schema>> = {
  AccountSecurity: object('What opens an account, and what happened to it last.', {
    has_password: { type: 'boolean' },
    sessions: list(schemaRef('Session')),
    identities: list(schemaRef('Identity')),
    tokens: list(schemaRef('ApiToken')),
    events: list(event),
  }),
};

const WHAT =
  'Ends password, sessions, linked identities, pending links and API tokens of the user, and mails a link for a new password. ' +
  'Identities of trusted issuers and gateways stay.';

const lockDown: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'lockDown',
  summary: 'Lock my account down',
  description: `${WHAT} The session of the request ends too.`,
  responses: {
    200: answer('The account is locked down.', schemaRef('Message')),
    ...failures('no_session'),
  },
};

const lockDownByLink: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'lockDownByLink',
  summary: 'Lock an account down by the link of a notice',
  description: `${WHAT} A link that was mailed to a former address of the account mails none.`,
  security: [],
  requestBody: jsonOrFormBody(schemaRef('LockDown'), { token: LINK_TOKEN_EXAMPLE }),
  responses: {
    200: answerOrPage('The account is locked down.', schemaRef('Message')),
    ...failuresOrPage('invalid_link', 'csrf_rejected', 'validation_failed', 'too_many_requests'),
  },
};

const READ_USER = 'Needs `users:read` and all scopes of the role that the user has.';
const WRITE_USER = 'Needs `users:write` and all scopes of the role that the user has.';
const COMMON = ['invalid_query', 'insufficient_scope', 'too_many_requests', 'user_not_found'] as const;

/** Named after `listSessions`, which has the same answer. */
const SESSION_LIST = schemaRef('SessionList');
const SECURITY = schemaRef('AccountSecurityAnswer');

const mine: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'getMySecurity',
  summary: 'What opens my account',
  description: 'Sessions, linked identities, active API tokens, and the last events: at most a hundred of each kind.',
  responses: {
    200: answer('What opens the account.', enveloped(schemaRef('AccountSecurity'))),
    ...failures('invalid_query', 'no_session'),
  },
};

const ofUser: OpenAPIV3_1.OperationObject = {
  tags: [USERS_TAG],
  operationId: 'getUserSecurity',
  summary: 'What opens the account of a user',
  description: `The same as \`GET /api/auth/security\`, of another user. ${READ_USER}`,
  responses: {
    200: answer('What opens the account.', SECURITY, ...LIMIT_HEADERS),
    ...failures(...COMMON),
  },
};

const userSessions: OpenAPIV3_1.OperationObject = {
  tags: [USERS_TAG],
  operationId: 'listUserSessions',
  summary: 'List the sessions of a user',
  description: `The active ones, the one that was used last first, at most a hundred. ${READ_USER}`,
  responses: {
    200: answer('The sessions.', SESSION_LIST, ...LIMIT_HEADERS),
    ...failures(...COMMON),
  },
};

const endUserSessions: OpenAPIV3_1.OperationObject = {
  tags: [USERS_TAG],
  operationId: 'endUserSessions',
  summary: 'End all sessions of a user',
  description: `Their tokens are refused at once, and within 5 s by other instances of the service. ${WRITE_USER}`,
  responses: { 204: emptyAnswer('They have ended.', ...LIMIT_HEADERS), ...failures(...COMMON) },
};

const endUserSession: OpenAPIV3_1.OperationObject = {
  tags: [USERS_TAG],
  operationId: 'endUserSession',
  summary: 'End a session of a user',
  description: WRITE_USER,
  responses: {
    204: emptyAnswer('The session has ended.', ...LIMIT_HEADERS),
    ...failures(...COMMON, 'session_not_found'),
  },
};

const SESSION: OpenAPIV3_1.ParameterObject = {
  name: 'session',
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
};

/** The routes of what opens an account. */
export const SECURITY_API: OpenApiFragment = {
  paths: {
    '/api/auth/security': { get: mine },
    '/api/users/{id}/security': { parameters: [parameterRef('Id')], get: ofUser },
    '/api/users/{id}/sessions': { parameters: [parameterRef('Id')], get: userSessions, delete: endUserSessions },
    '/api/users/{id}/sessions/{session}': { parameters: [parameterRef('Id'), SESSION], delete: endUserSession },
    '/api/auth/security/lock-down': { post: lockDown },
    '/api/auth/lock-down': {
      get: {
        ...formPage('showLockDownForm', 'The page behind the link of a notice'),
        description: 'Asks before anything happens. The link has 60 requests a minute and address of its own.',
      },
      post: lockDownByLink,
    },
  },
  schemas: {
    ...securitySchemas,
    LockDown: { type: 'object', required: ['token'], additionalProperties: false, properties: { token: LINK_TOKEN } },
  },
};
