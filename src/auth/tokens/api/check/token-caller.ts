import { missingScopes, type Caller } from '../../../../common/access/caller.js';
import { scopesOf, type Role } from '../../../../users/roles/roles.js';
import { USER, usersBy } from '../../../../users/rows/user-rows.js';
import type { ConfiguredTokens } from '../rows/configured-tokens.js';
import type { TokenKind } from '../rows/api-token.entity.js';

/** A token beside its owner, as {@link SELECT_TOKENS} reads them. */
export interface TokenRow {
  readonly id: number | string;
  readonly name: string;
  readonly kind: TokenKind;
  readonly scopes: string;
  readonly expires_at: number | string | null;
  readonly configured_parent: string | null;
  readonly owner_id: number | string | null;
  readonly owner_name: string | null;
  readonly owner_role: Role | null;
  readonly owner_disabled_at: number | string | null;
}

/** Tokens `t` that were not revoked, with their owners `u` as far as these are there; a condition on `t` follows. */
export const SELECT_TOKENS =
  `SELECT t.id, t.name, t.kind, t.scopes, t.expires_at, t.configured_parent, t.owner_id, ` +
  `${USER.name} AS owner_name, ${USER.role} AS owner_role, ${USER.disabledAt} AS owner_disabled_at ` +
  `FROM api_tokens t LEFT JOIN ${usersBy('t.owner_id')} WHERE t.revoked_at IS NULL AND `;

type TokenCaller = Caller & Required<Pick<Caller, 'token'>> & { readonly id: number };

/**
 * The caller with a token, whether it has expired or not; `null`: it has ended with its owner, or with the token of the
 * configuration that it was made with.
 */
export function callerWith(row: TokenRow, configuredTokens: ConfiguredTokens): TokenCaller | null {
  const { name, kind, configured_parent: configuredParent } = row;
  if (configuredTokens.parentOf({ configuredParent }) === 'removed') return null;
  const ownerId = row.owner_id === null ? null : Number(row.owner_id);
  const expiresAt = row.expires_at === null ? null : Number(row.expires_at);
  const caller = {
    kind: 'token',
    id: Number(row.id),
    name,
    token: { kind, ownerId, expiresAt },
  } as const;
  if (kind === 'service') return { ...caller, scopes: new Set(row.scopes.split(' ')) };
  return ofOwner(caller, row);
}

function ofOwner(caller: Omit<TokenCaller, 'scopes'>, row: TokenRow): TokenCaller | null {
  const { owner_name: name, owner_role: role } = row;
  if (name === null || role === null || row.owner_disabled_at !== null) return null;
  const author = { kind: 'user', id: Number(row.owner_id), name } as const;
  return { ...caller, scopes: heldByRole(role, row.scopes.split(' ')), author };
}

/** Those scopes of a personal token that its owner holds as well. */
function heldByRole(role: Role, scopes: readonly string[]): ReadonlySet<string> {
  const held = new Set<string>(scopesOf(role));
  if (scopes.includes('*')) return held;
  const missing = new Set(missingScopes({ scopes: held }, scopes));
  return new Set(scopes.filter((scope) => !missing.has(scope)));
}
