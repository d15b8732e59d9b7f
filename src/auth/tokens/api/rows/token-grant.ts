import { missingScopes, userIdOf, type Caller } from '../../../../common/access/caller.js';
import { insufficientScope } from '../../../../common/access/insufficient-scope.js';
import { ValidationError } from '../../../../common/errors/domain-error.js';
import { scopesOf } from '../../../../users/roles/roles.js';
import type { ApiToken, TokenKind } from './api-token.entity.js';

const DAY_MS = 86_400_000;
const DEFAULT_LIFE_MS: Readonly<Record<TokenKind, number>> = { personal: 90 * DAY_MS, service: 365 * DAY_MS };

const MAX_PERSONAL_DAYS = 365;

const CANNOT_GRANT = 'You cannot grant what you do not hold';
const NO_OWNER = 'kind must be service: a personal token is made by its owner, who has signed in.';

export interface TokenRequest {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Left out: personal if a user makes it, otherwise of a service. */
  readonly kind?: TokenKind;
  /** Milliseconds since 1970, UTC; `null`: never; left out: in 90 days for a personal token, in 365 for others. */
  readonly expiresAt?: number | null;
}

export type TokenGrant = Pick<ApiToken, 'kind' | 'ownerId' | 'configuredParent' | 'scopes' | 'expiresAt'>;

/**
 * The grant for a request: a token may do no more than its maker.
 *
 * @param now milliseconds since 1970, UTC
 * @throws {DomainError} `insufficient_scope`
 * @throws {ValidationError} a kind that the maker cannot make, scopes that it would not have, an expiry out of bounds
 */
export function grantOf(order: TokenRequest, maker: Caller, now: number): TokenGrant {
  requireHeld(maker, order.scopes, CANNOT_GRANT);
  const kind = kindOf(order, maker);
  if (kind === 'personal') requireHeldHere(order.scopes, maker);
  return {
    kind,
    ownerId: userIdOf(maker),
    configuredParent: maker.configured ?? null,
    scopes: order.scopes.join(' '),
    expiresAt: expiryOf(order, kind, now),
  };
}

/** The earlier of two expiries; `null`: never. */
export function earliest(one: number | null, other: number | null): number | null {
  const first = Math.min(one ?? Infinity, other ?? Infinity);
  return first === Infinity ? null : first;
}

/** The latest expiry of a token; `null`: any. */
export function latestExpiry(kind: TokenKind, now: number): number | null {
  return kind === 'personal' ? now + MAX_PERSONAL_DAYS * DAY_MS : null;
}

function kindOf({ kind }: TokenRequest, maker: Caller): TokenKind {
  if (userIdOf(maker) !== null) return kind ?? 'personal';
  if (kind === 'personal') throw new ValidationError([{ field: 'kind', rule: 'maker', message: NO_OWNER }]);
  return 'service';
}

/** A personal token has the role of the account. @throws {ValidationError} it would have less than is asked for */
function requireHeldHere(scopes: readonly string[], { ownRole }: Caller): void {
  if (ownRole === undefined) return;
  const missing = missingScopes({ scopes: new Set(scopesOf(ownRole)) }, scopes);
  if (missing.length === 0) return;
  const message =
    `A personal token has the role of your account here, ${ownRole}, and not the one that you come with: it lacks ` +
    `${missing.join(', ')}. Make a token that stands for itself with kind service, or leave those scopes out.`;
  throw new ValidationError([{ field: 'scopes', rule: 'role', message }]);
}

function expiryOf({ expiresAt }: TokenRequest, kind: TokenKind, now: number): number | null {
  const latest = latestExpiry(kind, now);
  if (expiresAt === undefined) return earliest(now + DEFAULT_LIFE_MS[kind], latest);
  if (expiresAt !== null && expiresAt <= now) {
    const message = 'expires_at must lie in the future, or be "never".';
    throw new ValidationError([{ field: 'expires_at', rule: 'future', message }]);
  }
  if (latest !== null && (expiresAt ?? Infinity) > latest) {
    const message = `expires_at of a personal token may lie ${MAX_PERSONAL_DAYS} days ahead at most.`;
    throw new ValidationError([{ field: 'expires_at', rule: 'max_days', message }]);
  }
  return expiresAt;
}

/** @throws {DomainError} `insufficient_scope`, with the scopes of tokens that the caller does not hold and so cannot end */
export function requirePowerOver(caller: Caller, scopes: readonly string[]): void {
  requireHeld(caller, scopes, 'You cannot end a token that may do more than you');
}

function requireHeld(caller: Caller, scopes: readonly string[], refusal: string): void {
  const missing = missingScopes(caller, scopes);
  if (missing.length > 0) throw insufficientScope(`${refusal}: ${missing.join(', ')}.`, missing);
}

/** @throws {DomainError} `insufficient_scope`: the token is another user's and may do more than the caller */
export function requireEndable(caller: Caller, { ownerId, scopes }: ApiToken): void {
  if (caller.kind !== 'user' || caller.id === null || caller.id !== ownerId)
    requirePowerOver(caller, scopes.split(' '));
}

/**
 * An API token makes and rotates none: one that leaked would live on in what it has made.
 *
 * @throws {DomainError} `insufficient_scope`
 */
export function requireMaker({ kind, id }: Caller): void {
  if (kind === 'token' && id !== null)
    throw insufficientScope('An API token makes no tokens. Sign in, or use the command line.', []);
}

/**
 * A rotation hands out the text of a token: that of a personal token is a proof to be its owner. A token of the
 * configuration that may do everything gets those of all service tokens, whose successors end with it.
 *
 * @throws {DomainError} `insufficient_scope`
 */
export function requireRotatable(caller: Caller, token: ApiToken): void {
  const { kind, ownerId, scopes } = token;
  if (kind === 'service') {
    requireHeld(caller, scopes.split(' '), CANNOT_GRANT);
    if (!isWithinConfigured(caller, token))
      throw insufficientScope('A token of the configuration rotates what it has made.', []);
  } else if (userIdOf(caller) !== ownerId) throw insufficientScope('A personal token is rotated by its owner.', []);
}

/** Not so of a token of the configuration with less than all scopes, if the other one does not end with it. */
function isWithinConfigured({ configured, scopes }: Caller, { configuredParent }: ApiToken): boolean {
  return configured === undefined || scopes.has('*') || configuredParent === configured;
}
