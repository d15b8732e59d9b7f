import type { OpenAPIV3_1 } from 'openapi-types';
import { failures, jsonBody, parameterRef, schemaRef } from '../../../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../../../common/openapi/openapi.registry.js';
import {
  CREATION_FAILURES,
  ROTATION_FAILURES,
  TOKEN_PAGE,
  tokenCreated,
  tokenList,
  tokenReplaced,
  tokenRevoked,
} from './token-answers.js';
import { TOKENS_TAG } from './token-schemas.js';

const list: OpenAPIV3_1.OperationObject = {
  tags: [TOKENS_TAG],
  operationId: 'listMyTokens',
  summary: 'List my personal tokens',
  description: 'The newest first, with those that have ended. Takes the session of a user.',
  parameters: TOKEN_PAGE,
  responses: { 200: tokenList(), ...failures('invalid_query') },
};

const create: OpenAPIV3_1.OperationObject = {
  tags: [TOKENS_TAG],
  operationId: 'createMyToken',
  summary: 'Create a personal token',
  description:
    'The answer is the only one that holds the token. It may do what its scopes say and the role of its owner allows at ' +
    'the moment, and ends when the owner is disabled or deleted, or gets another password by mail or by an administrator.',
  requestBody: jsonBody(schemaRef('PersonalTokenCreate'), { name: 'laptop', scopes: ['records:read'] }),
  responses: { 201: tokenCreated(), ...failures(...CREATION_FAILURES) },
};

const revoke: OpenAPIV3_1.OperationObject = {
  tags: [TOKENS_TAG],
  operationId: 'revokeMyToken',
  summary: 'Revoke one of my personal tokens',
  description: 'At once, and for good.',
  responses: { 204: tokenRevoked(), ...failures('invalid_query', 'token_not_found') },
};

const rotate: OpenAPIV3_1.OperationObject = {
  tags: [TOKENS_TAG],
  operationId: 'rotateMyToken',
  summary: 'Replace one of my personal tokens',
  description: 'The new token has the same scopes and length of life; the old one works for 24 hours more.',
  responses: { 200: tokenReplaced(), ...failures(...ROTATION_FAILURES) },
};

/** The routes under `/api/auth/tokens`. */
export const OWN_TOKEN_PATHS: OpenApiFragment['paths'] = {
  '/api/auth/tokens': { get: list, post: create },
  '/api/auth/tokens/{id}': { parameters: [parameterRef('Id')], delete: revoke },
  '/api/auth/tokens/{id}/rotate': { parameters: [parameterRef('Id')], post: rotate },
};
