import type { OpenAPIV3_1 } from 'openapi-types';
import {
  answer,
  emptyAnswer,
  enveloped,
  failures,
  jsonBody,
  listed,
  parameterRef,
  schemaRef,
} from '../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../common/openapi/openapi.registry.js';
import { tokenSchemas } from './token-schemas.js';

const TAG = 'API tokens';

const list: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'listApiTokens',
  summary: 'List API tokens',
  description: 'The newest first, with those that have ended. Needs `tokens:write`.',
  parameters: [parameterRef('Page'), parameterRef('PerPage')],
  responses: {
    200: answer('The tokens.', listed(schemaRef('ApiToken'))),
    ...failures('invalid_query', 'insufficient_scope'),
  },
};

const create: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'createApiToken',
  summary: 'Create an API token',
  description: 'The answer is the only one that holds the token. Needs `tokens:write` and every scope that is granted.',
  requestBody: jsonBody(schemaRef('ApiTokenCreate'), { name: 'ci', scopes: ['records:read', 'drafts:read'] }),
  responses: {
    201: answer('The new token.', enveloped(schemaRef('ApiTokenCreated')), 'Location'),
    ...failures('invalid_query', 'insufficient_scope', 'validation_failed'),
  },
};

const read: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'getApiToken',
  summary: 'Read an API token',
  description: 'Everything but the token itself. Needs `tokens:write`.',
  responses: {
    200: answer('The token.', enveloped(schemaRef('ApiToken'))),
    ...failures('invalid_query', 'insufficient_scope', 'token_not_found'),
  },
};

const revoke: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'revokeApiToken',
  summary: 'Revoke an API token',
  description: 'At once, and for good. Needs `tokens:write`.',
  responses: {
    204: emptyAnswer('The token is revoked.'),
    ...failures('invalid_query', 'insufficient_scope', 'token_not_found'),
  },
};

const rotate: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'rotateApiToken',
  summary: 'Replace an API token',
  description:
    'The new token has the same scopes and length of life; the old one works for 24 hours more. ' +
    'Needs `tokens:write` and every scope of the token.',
  responses: {
    200: answer('The new token.', enveloped(schemaRef('ApiTokenCreated'))),
    ...failures('invalid_query', 'insufficient_scope', 'token_not_found'),
  },
};

/** The routes under `/api/admin/tokens`. */
export const API_TOKENS_API: OpenApiFragment = {
  tags: [{ name: TAG, description: 'Credentials for programs.' }],
  schemas: tokenSchemas,
  paths: {
    '/api/admin/tokens': { get: list, post: create },
    '/api/admin/tokens/{id}': { parameters: [parameterRef('Id')], get: read, delete: revoke },
    '/api/admin/tokens/{id}/rotate': { parameters: [parameterRef('Id')], post: rotate },
  },
};
