import type { OpenAPIV3_1 } from 'openapi-types';
import {
  answer,
  enveloped,
  failures,
  jsonBody,
  LIMIT_HEADERS,
  parameterRef,
  schemaRef,
} from '../../../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../../../common/openapi/openapi.registry.js';
import { USER_TOKEN_PATHS } from './user-token-paths.openapi.js';
import { OWN_TOKEN_PATHS } from './own-token-paths.openapi.js';
import {
  CREATION_FAILURES,
  ROTATION_FAILURES,
  TOKEN_PAGE,
  tokenCreated,
  tokenList,
  tokenReplaced,
  tokenRevoked,
} from './token-answers.js';
import { TOKENS_TAG, tokenSchemas } from './token-schemas.js';

const COMMON = ['insufficient_scope', 'too_many_requests'] as const;

const list: OpenAPIV3_1.OperationObject = {
  tags: [TOKENS_TAG],
  operationId: 'listApiTokens',
  summary: 'List API tokens',
  description: 'The newest first, with those that have ended. Needs `tokens:write`.',
  parameters: TOKEN_PAGE,
  responses: {
    200: tokenList(...LIMIT_HEADERS),
    ...failures('invalid_query', ...COMMON),
  },
};

const create: OpenAPIV3_1.OperationObject = {
  tags: [TOKENS_TAG],
  operationId: 'createApiToken',
  summary: 'Create an API token',
  description:
    'The answer is the only one that holds the token. Needs `tokens:write` and every scope that is granted. API tokens ' +
    'make none. There are at most 100 active tokens of one owner.',
  requestBody: jsonBody(schemaRef('ApiTokenCreate'), { name: 'ci', scopes: ['records:read', 'drafts:read'] }),
  responses: {
    201: tokenCreated(...LIMIT_HEADERS),
    ...failures(...CREATION_FAILURES, 'too_many_requests'),
  },
};

const read: OpenAPIV3_1.OperationObject = {
  tags: [TOKENS_TAG],
  operationId: 'getApiToken',
  summary: 'Read an API token',
  description: 'Everything but the token itself. Needs `tokens:write`.',
  responses: {
    200: answer('The token.', enveloped(schemaRef('ApiToken')), ...LIMIT_HEADERS),
    ...failures('invalid_query', 'token_not_found', ...COMMON),
  },
};

const revoke: OpenAPIV3_1.OperationObject = {
  tags: [TOKENS_TAG],
  operationId: 'revokeApiToken',
  summary: 'Revoke an API token',
  description: 'At once, and for good. Needs `tokens:write` and, for a token of another user, its scopes.',
  responses: {
    204: tokenRevoked(...LIMIT_HEADERS),
    ...failures('invalid_query', 'token_not_found', ...COMMON),
  },
};

const rotate: OpenAPIV3_1.OperationObject = {
  tags: [TOKENS_TAG],
  operationId: 'rotateApiToken',
  summary: 'Replace an API token',
  description:
    'The new token has the same scopes and length of life; the old one works for 24 hours more. Needs `tokens:write` and ' +
    'every scope of the token; a personal token is rotated by its owner. API tokens rotate none.',
  responses: {
    200: tokenReplaced(...LIMIT_HEADERS),
    ...failures(...ROTATION_FAILURES, ...COMMON),
  },
};

/** The routes under `/api/admin/tokens`, with those of one's own tokens and of the tokens of a user. */
export const API_TOKENS_API: OpenApiFragment = {
  tags: [{ name: TOKENS_TAG, description: 'Credentials for programs. At most 60 requests a minute for each caller.' }],
  schemas: tokenSchemas,
  paths: {
    '/api/admin/tokens': { get: list, post: create },
    '/api/admin/tokens/{id}': { parameters: [parameterRef('Id')], get: read, delete: revoke },
    '/api/admin/tokens/{id}/rotate': { parameters: [parameterRef('Id')], post: rotate },
    ...OWN_TOKEN_PATHS,
    ...USER_TOKEN_PATHS,
  },
};
