import type { OpenAPIV3_1 } from 'openapi-types';
import { isScope, SCOPES } from '../../../common/access/caller.js';
import { IsIn, ValidateBy, ValidateIf } from '../../../common/dto-rules.js';
import type { ListEnvelope } from '../../../common/envelope.js';
import type { PageQuery } from '../../../common/http/url-query.js';
import { objectOf } from '../../../common/openapi/describe.js';
import { named } from '../../../common/openapi/endpoint.js';
import { isInstant } from '../../../common/schema/formats.js';
import { hasLineControls } from '../../../common/text/one-line.js';
import { Described, DescribedBody } from '../../../common/openapi/body.js';
import { type ApiToken, type TokenKind, TOKEN_KINDS } from './rows/api-token.entity.js';
import { CONFIGURED_PARENT_STATES, type ConfiguredTokens } from './rows/configured-tokens.js';
import type { TokenRequest } from './rows/token-grant.js';
import type { IssuedToken } from './rows/token-rows.js';

const TOKEN_NAME = {
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
const TOKEN_SCOPES = {
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

/** An API token without the token itself. */
export function apiTokenDto(token: ApiToken, configured: ConfiguredTokens) {
  return {
    id: token.id,
    name: token.name,
    hint: token.hint,
    kind: token.kind,
    owner_id: token.ownerId,
    scopes: token.scopes.split(' '),
    expires_at: instant(token.expiresAt),
    last_used_at: instant(token.lastUsedAt),
    revoked_at: instant(token.revokedAt),
    replaced_by: token.replacedBy,
    configured_parent: configured.parentOf(token),
    created_by: token.createdBy,
    created_at: new Date(token.createdAt).toISOString(),
  };
}

export type ApiTokenDto = ReturnType<typeof apiTokenDto>;

export function tokenPage(
  [tokens, total]: readonly [readonly ApiToken[], number],
  query: PageQuery,
  configured: ConfiguredTokens,
): ListEnvelope<ApiTokenDto> {
  const meta = { total, per_page: query.perPage, current_page: query.page };
  return { data: tokens.map((token) => apiTokenDto(token, configured)), meta };
}

export function issuedDto({ apiToken, token }: IssuedToken, configured: ConfiguredTokens) {
  return { data: { ...apiTokenDto(apiToken, configured), token } };
}

function instant(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function Follows(name: string, fits: (value: unknown) => boolean, message: string): PropertyDecorator {
  return ValidateBy({ name, validator: { validate: fits, defaultMessage: () => message } });
}

function isName(value: unknown): boolean {
  if (typeof value !== 'string' || value.trim() === '' || hasLineControls(value)) return false;
  return Array.from(value).length <= TOKEN_NAME.maxLength;
}

function areScopes(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length >= TOKEN_SCOPES.minItems &&
    value.length <= TOKEN_SCOPES.maxItems &&
    value.every((scope) => typeof scope === 'string' && isScope(scope)) &&
    new Set(value).size === value.length
  );
}

function isExpiry(value: unknown): boolean {
  return value === 'never' || (typeof value === 'string' && isInstant(value));
}

/** Body of `POST /api/auth/tokens`. */
@DescribedBody('PersonalTokenCreate', { name: 'laptop', scopes: ['records:read'] })
export class CreateOwnTokenDto {
  @Described(TOKEN_NAME, true)
  @Follows(
    'name',
    isName,
    `name is required: ${TOKEN_NAME.minLength} to ${TOKEN_NAME.maxLength} characters, on one line, that say who uses the token.`,
  )
  name!: string;

  @Described(TOKEN_SCOPES, true)
  @Follows(
    'scopes',
    areScopes,
    `scopes must list ${TOKEN_SCOPES.minItems} to ${TOKEN_SCOPES.maxItems} of ${SCOPES.join(', ')}, each once. Those of records, drafts and revisions may name a content type: ["records:read:post"].`,
  )
  scopes!: string[];

  @Described({
    description: 'In 90 days when left out, in 365 for a service token. A personal token lives 365 days at most.',
    anyOf: [
      { type: 'string', format: 'date-time' },
      { type: 'string', const: 'never' },
    ],
  })
  @ValidateIf((_, value) => value !== undefined)
  @Follows('instant', isExpiry, 'expires_at must be an instant such as "2030-01-31T00:00:00Z", or "never".')
  expires_at?: string;
}

/** Body of `POST /api/admin/tokens`. */
@DescribedBody('ApiTokenCreate', { name: 'ci', scopes: ['records:read', 'drafts:read'] })
export class CreateTokenDto extends CreateOwnTokenDto {
  @Described({ ...KIND, description: 'Left out: personal for a signed-in user, otherwise service.' })
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(TOKEN_KINDS, { message: `kind must be one of: ${TOKEN_KINDS.join(', ')}.` })
  kind?: TokenKind;
}

export function tokenRequest({ expires_at: expires, ...order }: CreateTokenDto): TokenRequest {
  if (expires === undefined) return order;
  return { ...order, expiresAt: expires === 'never' ? null : Date.parse(expires.toUpperCase()) };
}
