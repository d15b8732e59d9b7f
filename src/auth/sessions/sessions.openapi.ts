import type { OpenAPIV3_1 } from 'openapi-types';
import {
  answer,
  emptyAnswer,
  enveloped,
  failures,
  listed,
  objectOf,
  operations,
  schemaRef,
} from '../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../common/openapi/openapi.registry.js';
import { ROLES } from '../../users/roles/roles.js';
import { SIGN_IN_TAG } from '../methods/sign-in-methods.js';
import { LOGOUT_SCOPES } from './lifecycle/sessions.dto.js';

const operation = operations(SIGN_IN_TAG);

type Properties = Readonly<Record<string, OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject>>;

const INSTANT: OpenAPIV3_1.SchemaObject = { type: 'string', format: 'date-time' };
const AMR: OpenAPIV3_1.SchemaObject = {
  type: 'array',
  items: { type: 'string' },
  description: 'How the user proved who they are: `pwd`, `otp`, `link`, or an identity provider.',
  examples: [['pwd']],
};

const tokenAnswer: Properties = {
  token: { type: 'string', description: 'Access token, a JWT signed with ES256: `Authorization: Bearer <token>`.' },
  token_type: { type: 'string', const: 'Bearer' },
  expires_in: { type: 'integer', description: 'Life of the access token, seconds.', examples: [900] },
  refresh_token: { type: 'string', description: 'For the next access token. Missing if it went into a cookie.' },
  refresh_expires_in: { type: 'integer', description: 'Seconds until the refresh token ends, unless it is used.' },
  user: { $ref: '#/components/schemas/SignedInUser' },
};

/** Schemas of everything that signs in. */
const sessionSchemas: Readonly<Record<string, OpenAPIV3_1.SchemaObject>> = {
  TokenAnswer: objectOf(tokenAnswer, {
    description: 'The tokens of a session.',
    required: Object.keys(tokenAnswer).filter((name) => name !== 'refresh_token'),
  }),
  SignedInUser: objectOf(
    {
      id: { type: 'integer' },
      email: { type: 'string', format: 'email' },
      name: { type: 'string' },
      role: {
        type: 'string',
        enum: [...ROLES],
        description:
          'The role that their requests have. With a token of a trusted issuer, or named by a gateway, it is the one named there.',
      },
      email_verified: { type: 'boolean' },
    },
    { description: 'A user as they see themselves.' },
  ),
  Session: objectOf(
    {
      id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
      current: { type: 'boolean', description: 'Whether the request came from it.' },
      amr: AMR,
      ip: { type: 'string', description: 'Where it was begun.' },
      user_agent: { type: ['string', 'null'] },
      created_at: INSTANT,
      refreshed_at: INSTANT,
      expires_at: INSTANT,
    },
    { description: 'A device on which the user is signed in.' },
  ),
  Me: objectOf(
    {
      user: { anyOf: [{ $ref: '#/components/schemas/SignedInUser' }, { type: 'null' }] },
      session: {
        anyOf: [
          objectOf(
            {
              id: { type: 'string' },
              auth_time: {
                ...INSTANT,
                type: ['string', 'null'],
                description: 'When the user proved who they are. `null`: their provider does not say.',
              },
              amr: AMR,
              expires_at: INSTANT,
            },
            { description: 'The session of the access token.' },
          ),
          { type: 'null' },
        ],
      },
      scopes: { type: 'array', items: { type: 'string' }, examples: [['records:read']] },
    },
    { description: 'Who the caller is. A program with an API token is no user and has no session.' },
  ),
  Refresh: objectOf(
    { refresh_token: { type: 'string', description: 'Left out: the one in the cookie.' } },
    { required: [] },
  ),
  Logout: objectOf(
    {
      refresh_token: { type: 'string', description: 'In place of the access token.' },
      scope: {
        type: 'string',
        enum: [...LOGOUT_SCOPES],
        default: 'local',
        description: 'This session, all others of the user, or all of them.',
      },
    },
    { required: [] },
  ),
};

/** A body that may be left out. */
function optionalBody(schema: string, example: unknown): OpenAPIV3_1.RequestBodyObject {
  return { required: false, content: { 'application/json': { schema: schemaRef(schema), example } } };
}

const refresh = operation('refresh', 'Get the next access token', {
  description:
    'Each refresh token gives one successor, and the same one again until that is used: after an answer that was lost, or ' +
    'in a second tab. A token whose successor was used counts as stolen: the session ends.',
  security: [],
  requestBody: optionalBody('Refresh', { refresh_token: 'cmsr_…' }),
  responses: {
    200: answer('New tokens of the session.', schemaRef('TokenAnswer')),
    ...failures(
      'invalid_refresh_token',
      'refresh_token_reused',
      'csrf_rejected',
      'validation_failed',
      'too_many_requests',
    ),
  },
});

const logout = operation('logout', 'Sign out', {
  description:
    'Ends the session of the access token or of the refresh token, the others of its user, or all. The refresh token ' +
    'counts if the access token is missing or over. Access tokens of an ' +
    'ended session are refused at once. Doing it again does nothing.',
  security: [{ bearer: [] }, {}],
  requestBody: optionalBody('Logout', { scope: 'local' }),
  responses: {
    204: emptyAnswer('Signed out.'),
    ...failures('unauthorized', 'invalid_token', 'invalid_refresh_token', 'csrf_rejected', 'validation_failed'),
  },
});

const me = operation('getMe', 'Who am I?', {
  description:
    'The user and the session of the credential, and what it may do. A program with an API token is no user; a user with the token of another issuer has no session.',
  responses: { 200: answer('The caller.', enveloped(schemaRef('Me'))) },
});

const list = operation('listSessions', 'List my sessions', {
  description: 'The one that was used last comes first.',
  responses: {
    200: answer('The active sessions of the user.', listed(schemaRef('Session'))),
    ...failures('no_session'),
  },
});

const end = operation('endSession', 'End one of my sessions', {
  description: 'Its tokens are refused at once, and within 5 s by other instances of the service.',
  responses: { 204: emptyAnswer('The session has ended.'), ...failures('no_session', 'session_not_found') },
});

export const SESSIONS_API: OpenApiFragment = {
  tags: [{ name: SIGN_IN_TAG, description: 'Proving who one is, and staying signed in.' }],
  paths: {
    '/api/auth/refresh': { post: refresh },
    '/api/auth/logout': { post: logout },
    '/api/auth/me': { get: me },
    '/api/auth/sessions': { get: list },
    '/api/auth/sessions/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[0-9a-f]{32}$' } }],
      delete: end,
    },
  },
  schemas: sessionSchemas,
};
