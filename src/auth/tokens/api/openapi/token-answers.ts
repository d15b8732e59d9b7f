import type { OpenAPIV3_1 } from 'openapi-types';
import type { ErrorName } from '../../../../common/errors/catalogue.js';
import {
  answer,
  emptyAnswer,
  enveloped,
  FRESH_SIGN_IN_FAILURES,
  listed,
  parameterRef,
  schemaRef,
} from '../../../../common/openapi/describe.js';
import type { SharedHeader } from '../../../../common/openapi/shared-components.js';

/** A good answer, with the headers of the limit of its route, where it has one. */
type Answer = (...headers: SharedHeader[]) => OpenAPIV3_1.ResponseObject;

/** What a list of tokens takes. */
export const TOKEN_PAGE = [parameterRef('Page'), parameterRef('PerPage')];

export const tokenList: Answer = (...headers) => answer('The tokens.', listed(schemaRef('ApiToken')), ...headers);

export const tokenRevoked: Answer = (...headers) => emptyAnswer('The token is revoked.', ...headers);

export const tokenReplaced: Answer = (...headers) =>
  answer('The new token.', enveloped(schemaRef('ApiTokenCreated')), ...headers);

export const tokenCreated: Answer = (...headers) => tokenReplaced('Location', ...headers);

/** Refusals of a route that makes a token. */
export const CREATION_FAILURES = [
  'invalid_query',
  ...FRESH_SIGN_IN_FAILURES,
  'insufficient_scope',
  'too_many_tokens',
  'validation_failed',
] as const satisfies readonly ErrorName[];

/** Refusals of a route that puts a token in the place of one. */
export const ROTATION_FAILURES = [
  'invalid_query',
  ...FRESH_SIGN_IN_FAILURES,
  'token_not_found',
] as const satisfies readonly ErrorName[];
