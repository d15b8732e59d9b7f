import { userIdOf, type Caller, missingScopes } from '../../../../common/access/caller.js';
import { insufficientScope } from '../../../../common/access/insufficient-scope.js';
import type { ApiToken } from './api-token.entity.js';

/** @throws {DomainError} `insufficient_scope`, with the scopes that the caller does not hold and so cannot hand on */
export function requireGrantable(caller: Caller, scopes: readonly string[]): void {
  const missing = missingScopes(caller, scopes);
  if (missing.length === 0) return;
  throw insufficientScope(`You cannot grant what you do not hold: ${missing.join(', ')}.`, missing);
}

/** @throws {DomainError} `insufficient_scope`, with the scopes of tokens that the caller does not hold and so cannot end */
export function requirePowerOver(caller: Caller, scopes: readonly string[]): void {
  const missing = missingScopes(caller, scopes);
  if (missing.length === 0) return;
  throw insufficientScope(`You cannot end a token that may do more than you: ${missing.join(', ')}.`, missing);
}

/** @throws {DomainError} `insufficient_scope`: the token is another user's and may do more than the caller */
export function requireEndable(caller: Caller, { ownerId, scopes }: ApiToken): void {
  if (caller.kind !== 'user' || caller.id === null || caller.id !== ownerId)
    requirePowerOver(caller, scopes.split(' '));
}

/**
 * People, the command line and the tokens of the configuration make tokens. An API token makes and rotates none: one that
 * leaked would live on in what it has made.
 *
 * @throws {DomainError} `insufficient_scope`
 */
export function requireMaker({ kind, id }: Caller): void {
  if (kind === 'token' && id !== null)
    throw insufficientScope('An API token makes no tokens. Sign in, or use the command line.', []);
}

/**
 * A rotation hands out the text of a token. That of a personal token is a proof to be its owner, whatever else the caller
 * may do; its scopes are cut by those of the owner anyway. A token of the configuration that may do everything gets those
 * of all service tokens: the successors end with it.
 *
 * @throws {DomainError} `insufficient_scope`
 */
export function requireRotatable(caller: Caller, token: ApiToken): void {
  const { kind, ownerId, scopes } = token;
  if (kind === 'service') {
    requireGrantable(caller, scopes.split(' '));
    if (!isWithinConfigured(caller, token))
      throw insufficientScope('A token of the configuration rotates what it has made.', []);
  } else if (userIdOf(caller) !== ownerId) throw insufficientScope('A personal token is rotated by its owner.', []);
}

/** Not so of a token of the configuration with less than all scopes, if the other one does not end with it. */
function isWithinConfigured({ configured, scopes }: Caller, { configuredParent }: ApiToken): boolean {
  return configured === undefined || scopes.has('*') || configuredParent === configured;
}
