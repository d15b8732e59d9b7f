import type { OpenAPIV3_1 } from 'openapi-types';
import { objectOf } from '../common/openapi/describe.js';
import { named } from '../common/openapi/endpoint.js';
import { MAX_ADDRESS_LENGTH } from '../common/text/email-address.js';
import { PASSWORD_LENGTH } from './passwords/passwords.js';
import { ROLES } from './roles/roles.js';

type Properties = Record<string, OpenAPIV3_1.SchemaObject>;

/** The name of a user in a body; the rule `IsName` of DTOs reads its limits. */
export const USER_NAME = { type: 'string', minLength: 1, maxLength: 255, pattern: '\\S' } as const;
/** An address of a user in a body. */
export const USER_EMAIL = { type: 'string', format: 'email', maxLength: MAX_ADDRESS_LENGTH } as const;

export const SHOWN_NAME: OpenAPIV3_1.SchemaObject = { ...USER_NAME, examples: ['Ann Example'] };
export const SHOWN_EMAIL: OpenAPIV3_1.SchemaObject = {
  ...USER_EMAIL,
  description: 'One mailbox belongs to one user, whichever way its address is spelled.',
  examples: ['ann@example.com'],
};
export const GIVEN_ROLE: OpenAPIV3_1.SchemaObject = {
  type: 'string',
  enum: [...ROLES],
  description: 'What the user may do. A caller can give no role with more scopes than their own.',
};
/** Characters are counted in the form that is hashed. */
export const NEW_PASSWORD: OpenAPIV3_1.SchemaObject = {
  type: 'string',
  minLength: PASSWORD_LENGTH.min,
  maxLength: PASSWORD_LENGTH.max,
};
/** Whatever was allowed when it was set. */
export const STORED_PASSWORD: OpenAPIV3_1.SchemaObject = {
  type: 'string',
  minLength: 1,
  maxLength: PASSWORD_LENGTH.max,
};
export const NULLABLE_PASSWORD: OpenAPIV3_1.SchemaObject = {
  ...NEW_PASSWORD,
  type: ['string', 'null'],
  writeOnly: true,
  description: '`null`: the user has none and cannot sign in by password. It is never shown.',
};
export const VERIFIED: OpenAPIV3_1.SchemaObject = {
  type: 'boolean',
  enum: [true],
  writeOnly: true,
  description: 'You vouch that the address is theirs, which takes the scope `*`.',
};
const time: OpenAPIV3_1.SchemaObject = {
  type: 'string',
  format: 'date-time',
  examples: ['2026-01-31T12:00:00.000Z'],
};

const shown: Properties = {
  id: { type: 'integer', minimum: 1, examples: [1] },
  name: SHOWN_NAME,
  email: SHOWN_EMAIL,
  role: {
    ...GIVEN_ROLE,
    description:
      'The most that the user may do: the role that administrators or a directory have given, or that of a trusted issuer ' +
      'or a gateway, if that is stronger.',
  },
  email_verified: { type: 'boolean', description: 'Whether the user has proved that the address is theirs.' },
  disabled: { type: 'boolean', description: 'Whether the user cannot sign in.' },
  disabled_by: {
    type: ['string', 'null'],
    description: 'The provider that keeps the user out; `null`: an admin does.',
  },
  role_source: {
    type: ['string', 'null'],
    description:
      'The provider whose groups give the role (`OIDC_USERS`), or `issuer`: a trusted issuer or a gateway has named it last, ' +
      'and requests that it vouches for have it; `null`: admins give it.',
  },
  created_at: time,
  updated_at: time,
};

export const USER = named('User', objectOf(shown, { description: 'A person with an account.' }));
