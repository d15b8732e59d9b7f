import type { OpenAPIV3_1 } from 'openapi-types';
import { emptyAnswer, failures, parameterRef } from '../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../common/openapi/openapi.registry.js';
import { USERS_TAG } from '../../users/users.openapi.js';

const LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

const remove: OpenAPIV3_1.OperationObject = {
  tags: [USERS_TAG],
  operationId: 'deleteUser',
  summary: 'Delete a user',
  description:
    'For good; what the user wrote stays. Needs `users:write` and all scopes of the role that the user has. ' +
    'The last admin cannot be deleted. Personal API tokens end with the user; `Service-Tokens` says how many tokens of ' +
    'services the user was responsible for, and `tokens=revoke` ends those too.',
  parameters: [
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
};

/** The end of users, beside their other routes. */
export const USER_REMOVAL_API: OpenApiFragment = {
  paths: { '/api/users/{id}': { parameters: [parameterRef('Id')], delete: remove } },
};
