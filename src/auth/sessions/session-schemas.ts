import type { OpenAPIV3_1 } from 'openapi-types';
import { ROLES } from '../../users/roles/roles.js';
import { LOGOUT_SCOPES } from './lifecycle/sessions.dto.js';

type Properties = Readonly<Record<string, OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject>>;

const INSTANT: OpenAPIV3_1.SchemaObject = { type: 'string', format: 'date-time' };
const AMR: OpenAPIV3_1.SchemaObject = {
  type: 'array',
  items: { type: 'string' },
  description: 'How the user proved who they are: `pwd`, `otp`, `link`, or an identity provider.',
  examples: [['pwd']],
};

function object(
  description: string,
  properties: Properties,
  required = Object.keys(properties),
): OpenAPIV3_1.SchemaObject {
  return { type: 'object', description, required, additionalProperties: false, properties: { ...properties } };
}

const tokenAnswer: Properties = {
  token: { type: 'string', description: 'Access token, a JWT signed with ES256: `Authorization: Bearer <token>`.' },
  token_type: { type: 'string', const: 'Bearer' },
  expires_in: { type: 'integer', description: 'Life of the access token, seconds.', examples: [900] },
  refresh_token: { type: 'string', description: 'For the next access token. Missing if it went into a cookie.' },
  refresh_expires_in: { type: 'integer', description: 'Seconds until the refresh token ends, unless it is used.' },
  user: { $ref: '#/components/schemas/SignedInUser' },
};

/** Schemas of everything that signs in. */
export const sessionSchemas: Readonly<Record<string, OpenAPIV3_1.SchemaObject>> = {
  TokenAnswer: object(
    'The tokens of a session.',
    tokenAnswer,
    Object.keys(tokenAnswer).filter((name) => name !== 'refresh_token'),
  ),
  SignedInUser: object('A user as they see themselves.', {
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
  }),
  Session: object('A device on which the user is signed in.', {
    id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    current: { type: 'boolean', description: 'Whether the request came from it.' },
    amr: AMR,
    ip: { type: 'string', description: 'Where it was begun.' },
    user_agent: { type: ['string', 'null'] },
    created_at: INSTANT,
    refreshed_at: INSTANT,
    expires_at: INSTANT,
  }),
  Me: object('Who the caller is. A program with an API token is no user and has no session.', {
    user: { anyOf: [{ $ref: '#/components/schemas/SignedInUser' }, { type: 'null' }] },
    session: {
      anyOf: [
        object('The session of the access token.', {
          id: { type: 'string' },
          auth_time: {
            ...INSTANT,
            type: ['string', 'null'],
            description: 'When the user proved who they are. `null`: their provider does not say.',
          },
          amr: AMR,
          expires_at: INSTANT,
        }),
        { type: 'null' },
      ],
    },
    scopes: { type: 'array', items: { type: 'string' }, examples: [['records:read']] },
  }),
  Refresh: {
    type: 'object',
    additionalProperties: false,
    properties: { refresh_token: { type: 'string', description: 'Left out: the one in the cookie.' } },
  },
  Logout: {
    type: 'object',
    additionalProperties: false,
    properties: {
      refresh_token: { type: 'string', description: 'In place of the access token.' },
      scope: {
        type: 'string',
        enum: [...LOGOUT_SCOPES],
        default: 'local',
        description: 'This session, all others of the user, or all of them.',
      },
    },
  },
};
