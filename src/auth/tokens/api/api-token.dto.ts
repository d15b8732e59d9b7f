import type { Envelope, ListEnvelope } from '../../../common/envelope.js';
import type { PageQuery } from '../../../common/http/url-query.js';
import type { ConfiguredParentState, ConfiguredTokens } from './rows/configured-tokens.js';
import type { ApiToken, TokenKind } from './rows/api-token.entity.js';
import type { IssuedToken } from './issued-token.js';

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
