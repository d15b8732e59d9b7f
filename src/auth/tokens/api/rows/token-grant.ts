import { userIdOf, type Caller } from '../../../../common/access/caller.js';
import { ValidationError } from '../../../../common/errors/domain-error.js';
import { requireGrantable } from './grantable.js';
import type { ApiToken, TokenKind } from './api-token.entity.js';
import { expiryIsOver } from './api-token.errors.js';

const DAY_MS = 86_400_000;
const DEFAULT_LIFE_MS: Readonly<Record<TokenKind, number>> = { personal: 90 * DAY_MS, service: 365 * DAY_MS };

/** Why a maker of that kind makes no other one. */
const OTHER_KINDS: Readonly<Record<TokenKind, string>> = {
  personal: 'kind must be personal: a personal token makes no service tokens. Sign in to make one.',
  service: 'kind must be service: a personal token is made by its owner, who has signed in.',
};

/** What is asked for when a token is created. */
export interface TokenRequest {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Left out: personal where a user makes it, otherwise what its maker is. */
  readonly kind?: TokenKind;
  /** Milliseconds since 1970, UTC; `null`: never; left out: in 90 days for a personal token, in 365 for others. */
  readonly expiresAt?: number | null;
}

/** What limits a new token, beside the request and its maker. */
export interface TokenBounds {
  readonly now: number;
  /** Longest life of a personal token, days; 0: any. */
  readonly maxDays: number;
}

/** What a new token is granted. */
export type TokenGrant = Pick<ApiToken, 'kind' | 'ownerId' | 'parentId' | 'configuredParent' | 'scopes' | 'expiresAt'>;

/**
 * The grant for a request. A token that is made with a token belongs to the same user, may do no more and lives no
 * longer.
 *
 * @param maker as confirmed in the unit of work that makes the token
 * @throws {DomainError} `insufficient_scope`
 * @throws {ValidationError} a kind that the maker cannot make, an expiry that is over or too far ahead
 */
export function grantOf(order: TokenRequest, maker: Caller, bounds: TokenBounds): TokenGrant {
  requireGrantable(maker, order.scopes);
  const kind = kindOf(order, maker);
  return {
    kind,
    ownerId: maker.kind === 'user' ? maker.id : (maker.token?.ownerId ?? null),
    parentId: maker.kind === 'token' ? maker.id : null,
    configuredParent: maker.configured ?? null,
    scopes: order.scopes.join(' '),
    expiresAt: earliest(expiryOf(order, kind, bounds), maker.token?.expiresAt),
  };
}

/** The earlier of two expiries; `null`: never. */
export function earliest(one: number | null, other: number | null | undefined): number | null {
  const first = Math.min(one ?? Infinity, other ?? Infinity);
  return first === Infinity ? null : first;
}

/** The latest expiry of a token; `null`: any. */
export function latestExpiry(kind: TokenKind, { now, maxDays }: TokenBounds): number | null {
  return kind === 'personal' && maxDays > 0 ? now + maxDays * DAY_MS : null;
}

function kindOf({ kind }: TokenRequest, maker: Caller): TokenKind {
  const isUser = maker.kind === 'user' && maker.id !== null;
  const own = userIdOf(maker) === null ? 'service' : 'personal';
  if (kind === undefined || kind === own || isUser) return kind ?? own;
  throw new ValidationError([{ field: 'kind', rule: 'maker', message: OTHER_KINDS[own] }]);
}

function expiryOf({ expiresAt }: TokenRequest, kind: TokenKind, bounds: TokenBounds): number | null {
  const { now, maxDays } = bounds;
  const latest = latestExpiry(kind, bounds);
  if (expiresAt === undefined) return earliest(now + DEFAULT_LIFE_MS[kind], latest);
  if (expiresAt !== null && expiresAt <= now) throw expiryIsOver();
  if (latest !== null && (expiresAt ?? Infinity) > latest) {
    const message = `expires_at of a personal token may lie ${maxDays} days ahead at most.`;
    throw new ValidationError([{ field: 'expires_at', rule: 'max_days', message }]);
  }
  return expiresAt;
}
