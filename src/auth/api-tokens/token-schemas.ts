import type { OpenAPIV3_1 } from 'openapi-types';

const name: OpenAPIV3_1.SchemaObject = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'Who uses the token.',
  examples: ['ci'],
};
const scopes: OpenAPIV3_1.SchemaObject = {
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'What the token may do; a records scope can be narrowed to one type: `records:update:post`.',
  examples: [['records:read', 'drafts:read']],
};

function instantOrNull(description: string): OpenAPIV3_1.SchemaObject {
  return { type: ['string', 'null'], format: 'date-time', description };
}

const shown: Record<string, OpenAPIV3_1.SchemaObject> = {
  id: { type: 'integer' },
  name,
  hint: { type: 'string', description: 'The first characters of the token.', examples: ['cms_4fGh'] },
  scopes,
  expires_at: instantOrNull('`null`: never.'),
  last_used_at: instantOrNull('To the minute.'),
  revoked_at: instantOrNull('`null`: it was not revoked.'),
  replaced_by: { type: ['integer', 'null'], description: 'The token that replaces this one.' },
  created_by: { type: ['string', 'null'], description: 'Name of whoever made it.' },
  created_at: { type: 'string', format: 'date-time' },
};

/** Schemas of the token routes. */
export const tokenSchemas: Readonly<Record<string, OpenAPIV3_1.SchemaObject>> = {
  ApiToken: {
    type: 'object',
    description: 'A credential for a program, without the token itself.',
    required: Object.keys(shown),
    additionalProperties: false,
    properties: shown,
  },
  ApiTokenCreate: {
    type: 'object',
    required: ['name', 'scopes'],
    additionalProperties: false,
    properties: {
      name,
      scopes,
      expires_at: {
        description: 'In 365 days when left out.',
        anyOf: [
          { type: 'string', format: 'date-time' },
          { type: 'string', const: 'never' },
        ],
      },
    },
  },
  ApiTokenCreated: {
    type: 'object',
    description: 'A new API token with the token itself, which is shown this once.',
    required: [...Object.keys(shown), 'token'],
    additionalProperties: false,
    properties: { ...shown, token: { type: 'string', description: 'Send it as `Authorization: Bearer <token>`.' } },
  },
};
