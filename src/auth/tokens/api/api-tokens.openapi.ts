import {
  answer,
  emptyAnswer,
  enveloped,
  failures,
  FRESH_SIGN_IN_FAILURES,
  jsonBody,
  LIMIT_HEADERS,
  listed,
  operations,
  parameterRef,
  schemaRef,
} from '../../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../../common/openapi/openapi.registry.js';
import type { SharedHeader } from '../../../common/openapi/shared-components.js';
import { TOKENS_TAG, tokenSchemas } from './token-schemas.js';

const operation = operations(TOKENS_TAG);

const PAGE = [parameterRef('Page'), parameterRef('PerPage')];
const COMMON = ['insufficient_scope', 'too_many_requests'] as const;
const OF_USER = ['invalid_query', 'insufficient_scope', 'user_not_found', 'too_many_requests'] as const;

/** Refusals of a route that makes a token. */
const CREATION = [
  'invalid_query',
  ...FRESH_SIGN_IN_FAILURES,
  'insufficient_scope',
  'too_many_tokens',
  'validation_failed',
] as const;

/** Refusals of a route that puts a token in the place of one. */
const ROTATION = ['invalid_query', ...FRESH_SIGN_IN_FAILURES, 'token_not_found'] as const;

/** Good answers, with the headers of the limit of their route, where it has one. */
const tokenList = (...headers: SharedHeader[]) => answer('The tokens.', listed(schemaRef('ApiToken')), ...headers);
const tokenRevoked = (...headers: SharedHeader[]) => emptyAnswer('The token is revoked.', ...headers);
const tokenReplaced = (...headers: SharedHeader[]) =>
  answer('The new token.', enveloped(schemaRef('ApiTokenCreated')), ...headers);

const list = operation('listApiTokens', 'List API tokens', {
  description: 'The newest first, with those that have ended. Needs `tokens:write`.',
  parameters: PAGE,
  responses: { 200: tokenList(...LIMIT_HEADERS), ...failures('invalid_query', ...COMMON) },
});

const create = operation('createApiToken', 'Create an API token', {
  description:
    'The answer is the only one that holds the token. Needs `tokens:write` and every scope that is granted. API tokens ' +
    'make none. There are at most 100 active tokens of one owner.',
  requestBody: jsonBody(schemaRef('ApiTokenCreate'), { name: 'ci', scopes: ['records:read', 'drafts:read'] }),
  responses: { 201: tokenReplaced('Location', ...LIMIT_HEADERS), ...failures(...CREATION, 'too_many_requests') },
});

const read = operation('getApiToken', 'Read an API token', {
  description: 'Everything but the token itself. Needs `tokens:write`.',
  responses: {
    200: answer('The token.', enveloped(schemaRef('ApiToken')), ...LIMIT_HEADERS),
    ...failures('invalid_query', 'token_not_found', ...COMMON),
  },
});

const revoke = operation('revokeApiToken', 'Revoke an API token', {
  description: 'At once, and for good. Needs `tokens:write` and, for a token of another user, its scopes.',
  responses: { 204: tokenRevoked(...LIMIT_HEADERS), ...failures('invalid_query', 'token_not_found', ...COMMON) },
});

const rotate = operation('rotateApiToken', 'Replace an API token', {
  description:
    'The new token has the same scopes and length of life; the old one works for 24 hours more. Needs `tokens:write` and ' +
    'every scope of the token; a personal token is rotated by its owner. API tokens rotate none.',
  responses: { 200: tokenReplaced(...LIMIT_HEADERS), ...failures(...ROTATION, ...COMMON) },
});

const listOwn = operation('listMyTokens', 'List my personal tokens', {
  description: 'The newest first, with those that have ended. Takes the session of a user.',
  parameters: PAGE,
  responses: { 200: tokenList(), ...failures('invalid_query') },
});

const createOwn = operation('createMyToken', 'Create a personal token', {
  description:
    'The answer is the only one that holds the token. It may do what its scopes say and the role of its owner allows at ' +
    'the moment, and ends when the owner is disabled or deleted, or gets another password by mail or by an administrator.',
  requestBody: jsonBody(schemaRef('PersonalTokenCreate'), { name: 'laptop', scopes: ['records:read'] }),
  responses: { 201: tokenReplaced('Location'), ...failures(...CREATION) },
});

const revokeOwn = operation('revokeMyToken', 'Revoke one of my personal tokens', {
  description: 'At once, and for good.',
  responses: { 204: tokenRevoked(), ...failures('invalid_query', 'token_not_found') },
});

const rotateOwn = operation('rotateMyToken', 'Replace one of my personal tokens', {
  description: 'The new token has the same scopes and length of life; the old one works for 24 hours more.',
  responses: { 200: tokenReplaced(), ...failures(...ROTATION) },
});

const listOfUser = operation('listUserTokens', 'List the API tokens of a user', {
  description:
    'Personal ones, and service tokens that the user is responsible for, the newest first. Needs `users:read` and all scopes of the role of the user.',
  parameters: PAGE,
  responses: { 200: tokenList(...LIMIT_HEADERS), ...failures(...OF_USER) },
});

const endAllOfUser = operation('revokeUserTokens', 'Revoke the personal API tokens of a user', {
  description: 'Needs `users:write` and all scopes of the role of the user. Service tokens go on.',
  responses: { 204: emptyAnswer('None of them works any more.', ...LIMIT_HEADERS), ...failures(...OF_USER) },
});

const endOfUser = operation('revokeUserToken', 'Revoke an API token of a user', {
  description: 'Needs `users:write`, all scopes of the role of the user, and those of the token.',
  responses: { 204: tokenRevoked(...LIMIT_HEADERS), ...failures(...OF_USER, 'token_not_found') },
});

/** The routes under `/api/admin/tokens`, with those of one's own tokens and of the tokens of a user. */
export const API_TOKENS_API: OpenApiFragment = {
  tags: [{ name: TOKENS_TAG, description: 'Credentials for programs. At most 60 requests a minute for each caller.' }],
  schemas: tokenSchemas,
  paths: {
    '/api/admin/tokens': { get: list, post: create },
    '/api/admin/tokens/{id}': { parameters: [parameterRef('Id')], get: read, delete: revoke },
    '/api/admin/tokens/{id}/rotate': { parameters: [parameterRef('Id')], post: rotate },
    '/api/auth/tokens': { get: listOwn, post: createOwn },
    '/api/auth/tokens/{id}': { parameters: [parameterRef('Id')], delete: revokeOwn },
    '/api/auth/tokens/{id}/rotate': { parameters: [parameterRef('Id')], post: rotateOwn },
    '/api/users/{id}/tokens': { parameters: [parameterRef('Id')], get: listOfUser, delete: endAllOfUser },
    '/api/users/{id}/tokens/{token}': {
      parameters: [
        parameterRef('Id'),
        { name: 'token', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
      ],
      delete: endOfUser,
    },
  },
};
