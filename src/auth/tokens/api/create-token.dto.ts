import { IsIn, ValidateBy, ValidateIf } from '../../../common/dto-rules.js';
import { isScope, SCOPES } from '../../../common/access/caller.js';
import { isInstant } from '../../../common/schema/formats.js';
import { hasLineControls } from '../../../common/text/one-line.js';
import { TOKEN_NAME, TOKEN_SCOPES } from './openapi/token-schemas.js';
import { TOKEN_KINDS, type TokenKind } from './rows/api-token.entity.js';
import type { TokenRequest } from './rows/token-grant.js';

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
