import type { OpenAPIV3_1 } from 'openapi-types';
import { objectOf } from '../../../common/openapi/describe.js';
import { named } from '../../../common/openapi/endpoint.js';
import { TOKEN_KINDS } from './rows/api-token.entity.js';
import { CONFIGURED_PARENT_STATES } from './rows/configured-tokens.js';

/** The name of a token; the DTO reads its limits. */
export const TOKEN_NAME = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Who uses the token.',
  examples: ['ci'],
} satisfies OpenAPIV3_1.SchemaObject;
const KIND: OpenAPIV3_1.SchemaObject = {
  type: 'string',
  enum: [...TOKEN_KINDS],
  description:
    'A personal token may do what its owner may at the moment and ends with the account or its password; a service ' +
    'token stands for itself.',
};
/** The scopes of a token; the DTO reads its limits. */
export const TOKEN_SCOPES = {
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'What the token may do; a records scope can be narrowed to one type: `records:update:post`.',
  examples: [['records:read', 'drafts:read']],
} satisfies OpenAPIV3_1.SchemaObject;

function instantOrNull(description: string): OpenAPIV3_1.SchemaObject {
  return { type: ['string', 'null'], format: 'date-time', description };
}

const shown: Record<string, OpenAPIV3_1.SchemaObject> = {
  id: { type: 'integer' },
  name: TOKEN_NAME,
  hint: { type: 'string', description: 'The first characters of the token.', examples: ['cms_4fGh'] },
  kind: KIND,
  owner_id: {
    type: ['integer', 'null'],
    description: 'The user whose personal token it is, or who is responsible for a service token.',
  },
  scopes: TOKEN_SCOPES,
  expires_at: instantOrNull('`null`: never.'),
  last_used_at: instantOrNull('To the minute.'),
  revoked_at: instantOrNull('`null`: it was not revoked.'),
  replaced_by: { type: ['integer', 'null'], description: 'The token that replaces this one.' },
  configured_parent: {
    type: ['string', 'null'],
    enum: [...CONFIGURED_PARENT_STATES, null],
    description:
      'Of a token that was made or rotated with one of `API_TOKENS`: whether that one is still ' +
      'configured. `removed`: this one is not valid any more.',
  },
  created_by: { type: ['string', 'null'], description: 'Name of the user or token that made it.' },
  created_at: { type: 'string', format: 'date-time' },
};

/** What is asked for with a personal token. */
export const PERSONAL_TOKEN_ORDER = {
  name: TOKEN_NAME,
  scopes: TOKEN_SCOPES,
  expires_at: {
    description:
      'In 90 days when left out, in 365 for a service token. A personal token lives `MAX_TOKEN_DAYS` (365) at most.',
    anyOf: [
      { type: 'string', format: 'date-time' },
      { type: 'string', const: 'never' },
    ],
  },
} satisfies Record<string, OpenAPIV3_1.SchemaObject>;

/** What is asked for with any token. */
export const TOKEN_ORDER = {
  ...PERSONAL_TOKEN_ORDER,
  kind: { ...KIND, description: 'Left out: personal for a signed-in user, otherwise service.' },
};

/** Schemas of the answers of token routes. */
export const API_TOKEN = named(
  'ApiToken',
  objectOf(shown, { description: 'A credential for a program, without the token itself.' }),
);
export const API_TOKEN_CREATED = named(
  'ApiTokenCreated',
  objectOf(
    { ...shown, token: { type: 'string', description: 'Send it as `Authorization: Bearer <token>`.' } },
    { description: 'A new API token with the token itself, which is shown this once.' },
  ),
);
