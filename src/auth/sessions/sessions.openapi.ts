import type { OpenAPIV3_1 } from 'openapi-types';
import { SIGN_IN_TAG } from '../methods/sign-in-tag.js';
import { answer, emptyAnswer, enveloped, failures, listed, schemaRef } from '../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../common/openapi/openapi.registry.js';
import { sessionSchemas } from './session-schemas.js';

/** A body that may be left out. */
function optionalBody(schema: string, example: unknown): OpenAPIV3_1.RequestBodyObject {
  return { required: false, content: { 'application/json': { schema: schemaRef(schema), example } } };
}

const refresh: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'refresh',
  summary: 'Get the next access token',
  description:
    'Each refresh token gives one successor, and the same one again until that is used: after an answer that was lost, or ' +
    'in a second tab. A token whose successor was used counts as stolen: the session ends.',
  security: [],
  requestBody: optionalBody('Refresh', { refresh_token: 'cmsr_…' }),
  responses: {
    200: answer('New tokens of the session.', schemaRef('TokenAnswer')),
    ...failures(
      'invalid_refresh_token',
      'refresh_token_reused',
      'csrf_rejected',
      'validation_failed',
      'too_many_requests',
    ),
  },
};

const logout: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'logout',
  summary: 'Sign out',
  description:
    'Ends the session of the access token or of the refresh token, the others of its user, or all. The refresh token ' +
    'counts if the access token is missing or over. Access tokens of an ' +
    'ended session are refused at once. Doing it again does nothing.',
  security: [{ bearer: [] }, {}],
  requestBody: optionalBody('Logout', { scope: 'local' }),
  responses: {
    204: emptyAnswer('Signed out.'),
    ...failures('unauthorized', 'invalid_token', 'invalid_refresh_token', 'csrf_rejected', 'validation_failed'),
  },
};

const me: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'getMe',
  summary: 'Who am I?',
  description:
    'The user and the session of the credential, and what it may do. A program with an API token is no user; a user with the token of another issuer has no session.',
  responses: { 200: answer('The caller.', enveloped(schemaRef('Me'))) },
};

const list: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'listSessions',
  summary: 'List my sessions',
  description: 'The one that was used last comes first.',
  responses: {
    200: answer('The active sessions of the user.', listed(schemaRef('Session'))),
    ...failures('no_session'),
  },
};

const end: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'endSession',
  summary: 'End one of my sessions',
  description: 'Its tokens are refused at once, and within 5 s by other instances of the service.',
  responses: { 204: emptyAnswer('The session has ended.'), ...failures('no_session', 'session_not_found') },
};

export const SESSIONS_API: OpenApiFragment = {
  tags: [{ name: SIGN_IN_TAG, description: 'Proving who one is, and staying signed in.' }],
  paths: {
    '/api/auth/refresh': { post: refresh },
    '/api/auth/logout': { post: logout },
    '/api/auth/me': { get: me },
    '/api/auth/sessions': { get: list },
    '/api/auth/sessions/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[0-9a-f]{32}$' } }],
      delete: end,
    },
  },
  schemas: sessionSchemas,
};
