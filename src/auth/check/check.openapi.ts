import type { OpenAPIV3_1 } from 'openapi-types';
import { emptyAnswer, failures } from '../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../common/openapi/openapi.registry.js';
import { SIGN_IN_TAG } from '../methods/sign-in-methods.js';

const text = (description: string): OpenAPIV3_1.HeaderObject => ({ description, schema: { type: 'string' } });

const allowed: OpenAPIV3_1.ResponseObject = {
  ...emptyAnswer('The caller may pass.'),
  headers: {
    'X-Auth-Subject': text(
      '`user:42`, `token:7`, or `token:` and the name of a token of the configuration, with %-escapes for what is not ASCII.',
    ),
    'X-Auth-Role': text('The role of a user; empty for tokens.'),
    'X-Auth-Scopes': text('All scopes of the caller, with spaces between them.'),
  },
};

const scope: OpenAPIV3_1.ParameterObject = {
  name: 'scope',
  in: 'query',
  description: 'A scope that the caller has to hold, for example `records:read:post`.',
  schema: { type: 'string' },
};

const rest: OpenAPIV3_1.ParameterObject = {
  name: 'rest',
  in: 'path',
  required: true,
  description: 'The path of the request that the gateway asks about. It means nothing here.',
  schema: { type: 'string' },
};

const check = (operationId: string, parameter: OpenAPIV3_1.ParameterObject): OpenAPIV3_1.OperationObject => ({
  tags: [SIGN_IN_TAG],
  operationId,
  summary: 'May this caller pass?',
  description:
    'For gateways (`auth_request` of nginx, `ext_authz` of Envoy), which ask before they hand a request on to another service. ' +
    'Draws from no budget but that of tokens that are not valid.',
  parameters: [parameter],
  responses: { 204: allowed, ...(parameter === scope ? failures('invalid_query', 'insufficient_scope') : {}) },
});

/** What gateways ask. */
export const CHECK_API: OpenApiFragment = {
  paths: {
    '/api/auth/check': {
      get: check('checkCaller', scope),
      post: check('checkCallerByPost', scope),
      put: check('checkCallerByPut', scope),
      patch: check('checkCallerByPatch', scope),
      delete: check('checkCallerByDelete', scope),
    },
    '/api/auth/check/{rest}': {
      get: check('checkCallerOfGet', rest),
      post: check('checkCallerOfPost', rest),
      put: check('checkCallerOfPut', rest),
      patch: check('checkCallerOfPatch', rest),
      delete: check('checkCallerOfDelete', rest),
    },
  },
};
