import type { OpenAPIV3_1 } from 'openapi-types';
import {
  answer,
  emptyAnswer,
  failures,
  FRESH_SIGN_IN_FAILURES,
  LIMIT_HEADERS,
  listed,
  objectOf,
  operations,
  parameterRef,
  schemaRef,
} from '../../../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../../../common/openapi/openapi.registry.js';
import { USERS_TAG } from '../../../../users/user-schemas.js';
import { SIGN_IN_TAG } from '../../../methods/sign-in-methods.js';

const operation = operations(SIGN_IN_TAG);
const userOperation = operations(USERS_TAG);

const INSTANT: OpenAPIV3_1.SchemaObject = { type: 'string', format: 'date-time' };
const IDENTITIES = listed(schemaRef('Identity'));

const properties: Record<string, OpenAPIV3_1.SchemaObject> = {
  id: { type: 'integer', minimum: 1 },
  provider: {
    type: 'string',
    description: '`google`, `apple` or `oidc`; `jwt:<name>` of a trusted issuer, `jwt:gateway` of a gateway.',
    examples: ['google'],
  },
  email: { type: ['string', 'null'], description: 'The address that the provider named when it was linked.' },
  created_at: INSTANT,
  last_used_at: INSTANT,
};

const idParameter = (name: string): OpenAPIV3_1.ParameterObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer', minimum: 1 },
});

const listOwn = operation('listIdentities', 'List my identities', {
  description: 'What opens the account beside a password and mail, the oldest first.',
  responses: { 200: answer('The identities of the user.', IDENTITIES), ...failures('invalid_query', 'no_session') },
});

const unlinkOwn = operation('unlinkIdentity', 'Unlink one of my identities', {
  description:
    'Needs a fresh sign-in. Sessions that were begun with its provider end, but the one that asks. 409 `last_credential`: nothing else lets the ' +
    'user in. 409 `managed_elsewhere`: the role of the user comes from that provider, or the identity is of a trusted issuer or a gateway.',
  responses: {
    204: emptyAnswer('The identity opens the account no more.'),
    ...failures('invalid_query', 'identity_not_found', 'last_credential', 'last_admin', 'managed_elsewhere'),
    ...failures(...FRESH_SIGN_IN_FAILURES),
  },
});

const listOf = userOperation('listIdentitiesOfUser', 'List the identities of a user', {
  description: 'The oldest first. Needs `users:read` and all scopes of the role of the user.',
  responses: {
    200: answer('The identities of the user.', IDENTITIES, ...LIMIT_HEADERS),
    ...failures('invalid_query', 'insufficient_scope', 'user_not_found', 'too_many_requests'),
  },
});

const unlinkOf = userOperation('unlinkIdentityOfUser', 'Unlink an identity of a user', {
  description:
    'Needs a fresh sign-in of users. Sessions that were begun with its provider end, and a role that came from it is given by admins from then on. Needs ' +
    '`users:write` and all scopes of the role that the user has. The last admin who can sign in keeps a way to sign in.',
  responses: {
    204: emptyAnswer('The identity opens the account no more.', ...LIMIT_HEADERS),
    ...failures('invalid_query', 'insufficient_scope', 'user_not_found', 'identity_not_found'),
    ...failures('last_admin', 'too_many_requests'),
    ...failures(...FRESH_SIGN_IN_FAILURES),
  },
});

/** The routes of identities that are linked to accounts. */
export const IDENTITIES_API: OpenApiFragment = {
  schemas: { Identity: objectOf(properties, { description: 'An identity at a provider that opens an account.' }) },
  paths: {
    '/api/auth/identities': { get: listOwn },
    '/api/auth/identities/{id}': { parameters: [parameterRef('Id')], delete: unlinkOwn },
    '/api/users/{id}/identities': { parameters: [parameterRef('Id')], get: listOf },
    '/api/users/{id}/identities/{identity}': {
      parameters: [parameterRef('Id'), idParameter('identity')],
      delete: unlinkOf,
    },
  },
};
