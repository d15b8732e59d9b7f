import { userIdOf, type Caller } from '../../../../common/access/caller.js';
import { insufficientScope } from '../../../../common/access/insufficient-scope.js';
import { tooManyTries } from '../../../limits/too-many-tries.js';
import type { ApiToken } from './api-token.entity.js';
import { requireGrantable, requirePowerOver } from './grantable.js';

/** Milliseconds between two rotations of a token by itself: a chain of successors is walked link by link when it ends. */
const PAUSE_MS = 3_600_000;

const OWN_ONLY = 'A token rotates itself and what it has made.';

/** @throws {DomainError} `insufficient_scope`: the token is another user's and may do more than the caller */
export function requireEndable(caller: Caller, { ownerId, scopes }: ApiToken): void {
  if (caller.kind !== 'user' || caller.id === null || caller.id !== ownerId)
    requirePowerOver(caller, scopes.split(' '));
}

/**
 * A rotation hands out the text of a token. That of a personal token is a proof to be its owner, whatever else the caller
 * may do; its scopes are cut by those of the owner anyway. A token gets no other texts than those that end with it: its
 * own, and those of what it has made. One of the configuration that may do everything gets those of all service tokens:
 * the successors end with it.
 *
 * @throws {DomainError} `insufficient_scope`
 */
export function requireRotatable(caller: Caller, token: ApiToken): void {
  const { id, kind, ownerId, parentId, scopes } = token;
  if (isStored(caller)) {
    if (caller.id !== id && caller.id !== parentId) throw insufficientScope(OWN_ONLY, []);
  } else if (kind === 'service') {
    requireGrantable(caller, scopes.split(' '));
    if (!isWithinConfigured(caller, token)) throw insufficientScope(OWN_ONLY, []);
  } else if (userIdOf(caller) !== ownerId) throw insufficientScope('A personal token is rotated by its owner.', []);
}

/** Whether the caller is a token that can be revoked, other than one of the configuration. */
function isStored({ kind, id }: Caller): boolean {
  return kind === 'token' && id !== null;
}

/** Not so of a token of the configuration with less than all scopes, where the other one does not end with it. */
function isWithinConfigured({ configured, scopes }: Caller, { configuredParent }: ApiToken): boolean {
  return configured === undefined || scopes.has('*') || configuredParent === configured;
}

/** @throws {DomainError} `too_many_requests`: the token is the successor of one that rotated itself a moment ago */
export function requirePause({ familyId, createdAt }: ApiToken, now: number): void {
  const left = familyId === null ? 0 : createdAt + PAUSE_MS - now;
  if (left > 0) throw tooManyTries(Math.ceil(left / 1_000));
}
