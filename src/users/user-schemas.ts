import type { OpenAPIV3_1 } from 'openapi-types';
import { DEFAULT_ROLE, ROLES } from './roles.js';

type Properties = Record<string, OpenAPIV3_1.SchemaObject>;

const name: OpenAPIV3_1.SchemaObject = { type: 'string', minLength: 1, maxLength: 255, examples: ['Ann Example'] };
const email: OpenAPIV3_1.SchemaObject = {
  type: 'string',
  format: 'email',
  maxLength: 254,
  description: 'One mailbox belongs to one user, whichever way its address is spelled.',
  examples: ['ann@example.com'],
};
const role: OpenAPIV3_1.SchemaObject = {
  type: 'string',
  enum: [...ROLES],
  description: 'What the user may do. Nobody can give a role with more scopes than they have.',
};
const password: OpenAPIV3_1.SchemaObject = {
  type: ['string', 'null'],
  minLength: 12,
  maxLength: 256,
  writeOnly: true,
  description: '`null`: the user has none and cannot sign in by password. It is never shown.',
};
const time: OpenAPIV3_1.SchemaObject = {
  type: 'string',
  format: 'date-time',
  examples: ['2026-01-31T12:00:00.000Z'],
};

const shown: Properties = {
  id: { type: 'integer', minimum: 1, examples: [1] },
  name,
  email,
  role,
  email_verified: { type: 'boolean', description: 'Whether the user has proved that the address is theirs.' },
  disabled: { type: 'boolean', description: 'Whether the user is kept out.' },
  created_at: time,
  updated_at: time,
};

function closed(description: string, properties: Properties, required: string[] = []): OpenAPIV3_1.SchemaObject {
  const mandatory = required.length > 0 ? { required } : {};
  return { type: 'object', description, additionalProperties: false, ...mandatory, properties };
}

/** Schemas of the user routes. */
export const userSchemas: Readonly<Properties> = {
  User: closed('A person with an account.', shown, Object.keys(shown)),
  UserCreate: closed('A new user.', { name, email, password, role: { ...role, default: DEFAULT_ROLE } }, [
    'name',
    'email',
  ]),
  UserUpdate: closed('What changes in a user; what is left out stays.', {
    name,
    email: { ...email, description: 'A new address is not verified.' },
    password,
    role,
    disabled: { type: 'boolean', description: '`true` keeps the user out.' },
  }),
};
