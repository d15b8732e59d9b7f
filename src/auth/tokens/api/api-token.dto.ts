import { isScope, SCOPES } from '../../../common/access/caller.js';
import { IsIn, ValidateBy, ValidateIf } from '../../../common/dto-rules.js';
import type { Envelope, ListEnvelope } from '../../../common/envelope.js';
import type { PageQuery } from '../../../common/http/url-query.js';
import { objectOf } from '../../../common/openapi/describe.js';
import { BodySchema } from '../../../common/openapi/endpoint.js';
import { isInstant } from '../../../common/schema/formats.js';
import { hasLineControls } from '../../../common/text/one-line.js';
import { type ApiToken, type TokenKind, TOKEN_KINDS } from './rows/api-token.entity.js';
import type { ConfiguredParentState, ConfiguredTokens } from './rows/configured-tokens.js';
import type { TokenRequest } from './rows/token-grant.js';
import type { IssuedToken } from './rows/token-rows.js';
import { TOKEN_NAME, TOKEN_SCOPES, PERSONAL_TOKEN_ORDER, TOKEN_ORDER } from './token-schemas.js';

/** An API token as the API shows it: everything but the token. */
export class ApiTokenDto {
  id!: number;
  name!: string;
  /** The first characters of the token. */
  hint!: string;
  kind!: TokenKind;
  /** Whose it is, or who is responsible for it. */
  owner_id!: number | null;
  scopes!: string[];
  expires_at!: string | null;
  last_used_at!: string | null;
  revoked_at!: string | null;
  replaced_by!: number | null;
  /** What has become of the token of `API_TOKENS` with which it was made or rotated; `removed`: it has ended. */
  configured_parent!: ConfiguredParentState | null;
  created_by!: string | null;
  created_at!: string;

  /** @param configured says which tokens are configured */
  static from(token: ApiToken, configured: ConfiguredTokens): ApiTokenDto {
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

  static page(
    [tokens, total]: readonly [readonly ApiToken[], number],
    query: PageQuery,
    configured: ConfiguredTokens,
  ): ListEnvelope<ApiTokenDto> {
    const meta = { total, per_page: query.perPage, current_page: query.page };
    return { data: tokens.map((token) => ApiTokenDto.from(token, configured)), meta };
  }

  /** With the token itself, which is shown this once. */
  static issued(
    { apiToken, token }: IssuedToken,
    configured: ConfiguredTokens,
  ): Envelope<ApiTokenDto & { token: string }> {
    return { data: Object.assign(ApiTokenDto.from(apiToken, configured), { token }) };
  }
}

function instant(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** A rule with one sentence for everything it asks. */
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
@BodySchema('PersonalTokenCreate', objectOf(PERSONAL_TOKEN_ORDER, { required: ['name', 'scopes'] }), {
  name: 'laptop',
  scopes: ['records:read'],
})
export class CreateOwnTokenDto {
  @Follows(
    'name',
    isName,
    `name is required: ${TOKEN_NAME.minLength} to ${TOKEN_NAME.maxLength} characters, on one line, that say who uses the token.`,
  )
  name!: string;

  @Follows(
    'scopes',
    areScopes,
    `scopes must list ${TOKEN_SCOPES.minItems} to ${TOKEN_SCOPES.maxItems} of ${SCOPES.join(', ')}, each once. Those of records, drafts and revisions may name a content type: ["records:read:post"].`,
  )
  scopes!: string[];

  /** In 90 days when left out, in 365 for a service token. */
  @ValidateIf((_, value) => value !== undefined)
  @Follows('instant', isExpiry, 'expires_at must be an instant such as "2030-01-31T00:00:00Z", or "never".')
  expires_at?: string;
}

/** Body of `POST /api/admin/tokens`. */
@BodySchema('ApiTokenCreate', objectOf(TOKEN_ORDER, { required: ['name', 'scopes'] }), {
  name: 'ci',
  scopes: ['records:read', 'drafts:read'],
})
export class CreateTokenDto extends CreateOwnTokenDto {
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(TOKEN_KINDS, { message: `kind must be one of: ${TOKEN_KINDS.join(', ')}.` })
  kind?: TokenKind;
}

/** What a body orders. */
export function tokenRequest({ expires_at: expires, ...order }: CreateTokenDto): TokenRequest {
  if (expires === undefined) return order;
  return { ...order, expiresAt: expires === 'never' ? null : Date.parse(expires.toUpperCase()) };
}
