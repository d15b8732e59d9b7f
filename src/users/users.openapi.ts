import type { OpenAPIV3_1 } from 'openapi-types';
import {
  answer,
  failures,
  FRESH_SIGN_IN_FAILURES,
  jsonBody,
  LIMIT_HEADERS,
  parameterRef,
  schemaRef,
} from '../common/openapi/describe.js';
import type { OpenApiFragment } from '../common/openapi/openapi.registry.js';
import { userSchemas } from './user-schemas.js';

/** The group of all routes about users. */
export const USERS_TAG = 'Users';
/** What every route here can answer. */
const COMMON = ['invalid_query', 'insufficient_scope', 'too_many_requests'] as const;

const list: OpenAPIV3_1.OperationObject = {
  tags: [USERS_TAG],
  operationId: 'listUsers',
  summary: 'List users',
  description:
    'Oldest first, as a bare array: a thousand on a page, which is all of them for most. `Link` leads to the pages around. ' +
    'Needs `users:read`.',
  parameters: [parameterRef('Page'), parameterRef('PerThousand')],
  responses: {
    200: answer('The users.', { type: 'array', items: schemaRef('User') }, 'Link', ...LIMIT_HEADERS),
    ...failures(...COMMON),
  },
};

const read: OpenAPIV3_1.OperationObject = {
  tags: [USERS_TAG],
  operationId: 'getUser',
  summary: 'Read a user',
  description: 'Needs `users:read`.',
  responses: {
    200: answer('The user.', schemaRef('User'), ...LIMIT_HEADERS),
    ...failures(...COMMON, 'user_not_found'),
  },
};

const create: OpenAPIV3_1.OperationObject = {
  tags: [USERS_TAG],
  operationId: 'createUser',
  summary: 'Create a user',
  description: 'Needs `users:write` and all scopes of the role that is given.',
  requestBody: jsonBody(schemaRef('UserCreate'), { name: 'Ann Example', email: 'ann@example.com', role: 'editor' }),
  responses: {
    201: answer('The new user.', schemaRef('User'), 'Location', ...LIMIT_HEADERS),
    ...failures(...COMMON, ...FRESH_SIGN_IN_FAILURES, 'email_taken', 'validation_failed'),
  },
};

/** `PUT` and `PATCH` do the same. */
function update(operationId: string, summary: string): OpenAPIV3_1.OperationObject {
  return {
    tags: [USERS_TAG],
    operationId,
    summary,
    description:
      'Fields that are not sent stay; a request that changes nothing writes nothing. `Service-Tokens` is there if the ' +
      'user is disabled or gets a role of fewer scopes. ' +
      'Needs `users:write` and all scopes of the role that the user has and of the one that is given. ' +
      'The last admin who can sign in can neither be demoted nor disabled. A role that comes from a directory is changed ' +
      'there; if an issuer names one, only a stronger one is given here. An account whose address is not proved and that has a password or an identity gets no role with more ' +
      'scopes: invite its user. Nor does one with a password that another user has set: its owner sets one by a mail, or ' +
      'a new one is sent with the role.',
    requestBody: jsonBody(schemaRef('UserUpdate'), { name: 'Ann Miller', disabled: false }),
    responses: {
      200: answer('The user as of now.', schemaRef('User'), 'Service-Tokens', ...LIMIT_HEADERS),
      ...failures(
        ...COMMON,
        'user_not_found',
        ...FRESH_SIGN_IN_FAILURES,
        'email_taken',
        'last_admin',
        'managed_elsewhere',
        'validation_failed',
      ),
    },
  };
}

/** The routes under `/api/users`. */
export const USERS_API: OpenApiFragment = {
  tags: [{ name: USERS_TAG, description: 'People with an account. At most 60 requests a minute for each caller.' }],
  paths: {
    '/api/users': { get: list, post: create },
    '/api/users/{id}': {
      parameters: [parameterRef('Id')],
      get: read,
      put: update('updateUser', 'Change a user'),
      patch: update('patchUser', 'Change a user, by another verb'),
    },
  },
  schemas: userSchemas,
};
