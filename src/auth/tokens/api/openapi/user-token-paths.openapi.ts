import type { OpenAPIV3_1 } from 'openapi-types';
import { emptyAnswer, failures, LIMIT_HEADERS, parameterRef } from '../../../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../../../common/openapi/openapi.registry.js';
import { TOKEN_PAGE, tokenList, tokenRevoked } from './token-answers.js';
import { TOKENS_TAG } from './token-schemas.js';

const COMMON = ['invalid_query', 'insufficient_scope', 'user_not_found', 'too_many_requests'] as const;

const list: OpenAPIV3_1.OperationObject = {
  tags: [TOKENS_TAG],
  operationId: 'listUserTokens',
  summary: 'List the API tokens of a user',
  description:
    'Personal ones, and service tokens that the user is responsible for, the newest first. Needs `users:read` and all scopes of the role of the user.',
  parameters: TOKEN_PAGE,
  responses: {
    200: tokenList(...LIMIT_HEADERS),
    ...failures(...COMMON),
  },
};

const endAll: OpenAPIV3_1.OperationObject = {
  tags: [TOKENS_TAG],
  operationId: 'revokeUserTokens',
  summary: 'Revoke the personal API tokens of a user',
  description: 'Needs `users:write` and all scopes of the role of the user. Service tokens go on.',
  responses: { 204: emptyAnswer('None of them works any more.', ...LIMIT_HEADERS), ...failures(...COMMON) },
};

const end: OpenAPIV3_1.OperationObject = {
  tags: [TOKENS_TAG],
  operationId: 'revokeUserToken',
  summary: 'Revoke an API token of a user',
  description: 'Needs `users:write`, all scopes of the role of the user, and those of the token.',
  responses: {
    204: tokenRevoked(...LIMIT_HEADERS),
    ...failures(...COMMON, 'token_not_found'),
  },
};

/** The routes under `/api/users/{id}/tokens`. */
export const USER_TOKEN_PATHS: OpenApiFragment['paths'] = {
  '/api/users/{id}/tokens': { parameters: [parameterRef('Id')], get: list, delete: endAll },
  '/api/users/{id}/tokens/{token}': {
    parameters: [
      parameterRef('Id'),
      { name: 'token', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
    ],
    delete: end,
  },
};
