import type { OpenAPIV3_1 } from 'openapi-types';
import { AUDIT_EVENTS, AUDIT_OUTCOMES } from '../../audit/audit-event.js';
import {
  answer,
  answerOrPage,
  emptyAnswer,
  enveloped,
  failures,
  failuresOrPage,
  jsonOrFormBody,
  LIMIT_HEADERS,
  objectOf,
  operations,
  parameterRef,
  schemaRef,
  LINK_TOKEN_EXAMPLE,
} from '../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../common/openapi/openapi.registry.js';
import { USERS_TAG } from '../../users/user-schemas.js';
import { SIGN_IN_TAG } from '../methods/sign-in-methods.js';
import { formPage } from '../pages/pages.openapi.js';
import { LINK_TOKEN } from '../proofs/challenges/challenge-schemas.js';

const operation = operations(SIGN_IN_TAG);
const userOperation = operations(USERS_TAG);

type Schema = OpenAPIV3_1.SchemaObject;

const TIME: Schema = { type: 'string', format: 'date-time' };

function textOrNull(description: string): Schema {
  return { type: ['string', 'null'], description };
}

function list(items: Schema | OpenAPIV3_1.ReferenceObject): Schema {
  return { type: 'array', items };
}

const event = objectOf(
  {
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
  },
  { description: 'What happened to the account. Names of others are not shown.' },
);

/** Schemas of what opens an account. */
const securitySchemas: Readonly<Record<string, Schema>> = {
  AccountSecurity: objectOf(
    {
      has_password: { type: 'boolean' },
      sessions: list(schemaRef('Session')),
      identities: list(schemaRef('Identity')),
      tokens: list(schemaRef('ApiToken')),
      events: list(event),
    },
    { description: 'What opens an account, and what happened to it last.' },
  ),
};

const WHAT =
  'Ends password, sessions, linked identities, pending links and API tokens of the user, and mails a link for a new password. ' +
  'Identities of trusted issuers and gateways stay.';

const lockDown = operation('lockDown', 'Lock my account down', {
  description: `${WHAT} The session of the request ends too.`,
  responses: { 200: answer('The account is locked down.', schemaRef('Message')), ...failures('no_session') },
});

const lockDownByLink = operation('lockDownByLink', 'Lock an account down by the link of a notice', {
  description: `${WHAT} A link that was mailed to a former address of the account mails none.`,
  security: [],
  requestBody: jsonOrFormBody(schemaRef('LockDown'), { token: LINK_TOKEN_EXAMPLE }),
  responses: {
    200: answerOrPage('The account is locked down.', schemaRef('Message')),
    ...failuresOrPage('invalid_link', 'csrf_rejected', 'validation_failed', 'too_many_requests'),
  },
});

const READ_USER = 'Needs `users:read` and all scopes of the role that the user has.';
const WRITE_USER = 'Needs `users:write` and all scopes of the role that the user has.';
const COMMON = ['invalid_query', 'insufficient_scope', 'too_many_requests', 'user_not_found'] as const;

/** Named after `listSessions`, which has the same answer. */
const SESSION_LIST = schemaRef('SessionList');
const SECURITY = schemaRef('AccountSecurityAnswer');

const mine = operation('getMySecurity', 'What opens my account', {
  description: 'Sessions, linked identities, active API tokens, and the last events: at most a hundred of each kind.',
  responses: {
    200: answer('What opens the account.', enveloped(schemaRef('AccountSecurity'))),
    ...failures('invalid_query', 'no_session'),
  },
});

const ofUser = userOperation('getUserSecurity', 'What opens the account of a user', {
  description: `The same as \`GET /api/auth/security\`, of another user. ${READ_USER}`,
  responses: { 200: answer('What opens the account.', SECURITY, ...LIMIT_HEADERS), ...failures(...COMMON) },
});

const userSessions = userOperation('listUserSessions', 'List the sessions of a user', {
  description: `The active ones, the one that was used last first, at most a hundred. ${READ_USER}`,
  responses: { 200: answer('The sessions.', SESSION_LIST, ...LIMIT_HEADERS), ...failures(...COMMON) },
});

const endUserSessions = userOperation('endUserSessions', 'End all sessions of a user', {
  description: `Their tokens are refused at once, and within 5 s by other instances of the service. ${WRITE_USER}`,
  responses: { 204: emptyAnswer('They have ended.', ...LIMIT_HEADERS), ...failures(...COMMON) },
});

const endUserSession = userOperation('endUserSession', 'End a session of a user', {
  description: WRITE_USER,
  responses: {
    204: emptyAnswer('The session has ended.', ...LIMIT_HEADERS),
    ...failures(...COMMON, 'session_not_found'),
  },
});

const removeUser = userOperation('deleteUser', 'Delete a user', {
  description:
    'For good; what the user wrote stays. Needs `users:write` and all scopes of the role that the user has. ' +
    'The last admin cannot be deleted. Personal API tokens end with the user; `Service-Tokens` says how many tokens of ' +
    'services the user was responsible for, and `tokens=revoke` ends those too.',
  parameters: [
    parameterRef('Id'),
    {
      name: 'tokens',
      in: 'query',
      description: 'What becomes of service tokens that the user is responsible for.',
      schema: { type: 'string', enum: ['keep', 'revoke'], default: 'keep' },
    },
  ],
  responses: {
    204: emptyAnswer('The user is deleted.', 'Service-Tokens', ...LIMIT_HEADERS),
    ...failures(
      'invalid_query',
      'insufficient_scope',
      'too_many_requests',
      'unauthorized',
      'invalid_token',
      'insufficient_user_authentication',
      'user_not_found',
      'last_admin',
    ),
  },
});

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
    '/api/users/{id}': { delete: removeUser },
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
  schemas: { ...securitySchemas, LockDown: objectOf({ token: LINK_TOKEN }) },
};
