import type { Role } from './role-names.js';

/** Everything a caller may be allowed to do. `records:update:post` narrows a records scope to one content type. */
export const SCOPES = [
  'records:read',
  'records:create',
  'records:update',
  'records:update_own',
  'records:delete',
  'records:publish',
  'drafts:read',
  'revisions:read',
  'taxonomy:write',
  'types:write',
  'users:read',
  'users:write',
  'tokens:write',
  'audit:read',
  '*',
] as const;

export type Scope = (typeof SCOPES)[number];

/** Scopes that may be narrowed to one content type by a third part. */
const PER_TYPE =
  /^(?:records:(?:read|create|update|update_own|delete|publish)|drafts:read|revisions:read):[a-z][a-z0-9_-]{0,63}$/;

/** True if a text is a scope that can be granted, for example `records:read` or `records:read:post`. */
export function isScope(text: string): boolean {
  return (SCOPES as readonly string[]).includes(text) || PER_TYPE.test(text);
}

interface CallerToken {
  /** A personal token stands for its owner and ends with them; a service token stands for itself. */
  readonly kind: 'personal' | 'service';
  /** The user who is responsible for it; `null`: none is named. */
  readonly ownerId: number | null;
  /** Milliseconds since 1970, UTC; `null`: never. */
  readonly expiresAt: number | null;
}

/** The sender of a request, as far as the service has proved it. */
export interface Caller {
  readonly kind: 'token' | 'user';
  /** Id of the API token or of the user; `null` for a token that comes from the configuration. */
  readonly id: number | null;
  readonly name: string;
  readonly scopes: ReadonlySet<string>;
  /** The session of a user who signed in. */
  readonly sessionId?: string;
  /** The time at which the user of a session proved who they are, as the access token says. Milliseconds since 1970, UTC. */
  readonly authTime?: number;
  /** The issuer of the token of a user who has no session here. */
  readonly issuer?: string;
  /** The role that the issuer names in this request. */
  readonly issuerRole?: Role;
  /** The role that the account of such a user has here, as read in a unit of work: that of their personal tokens. */
  readonly ownRole?: Role;
  readonly token?: CallerToken;
  /** SHA-256 of the secret of the token of the configuration that it is. */
  readonly configured?: string;
  /** The author of what the caller writes, where that is not the credential itself. */
  readonly author?: { readonly kind: 'token' | 'user'; readonly id: number; readonly name: string };
}

/** The user behind a caller: the one who has signed in, or whose personal token it is; `null`: there is none. */
export function userIdOf({ kind, id, token }: Caller): number | null {
  if (kind === 'user') return id;
  return token?.kind === 'personal' ? token.ownerId : null;
}

/** The signed-in user, or the one responsible for the API token, service tokens included. Locked before the credential. */
export function ownerIdOf({ kind, id, token }: Caller): number | null {
  return kind === 'user' ? id : (token?.ownerId ?? null);
}

/** The actor of what the service does by itself, such as to finish what a stop has interrupted. */
export const SERVICE: Caller = { kind: 'token', id: null, name: 'service', scopes: new Set(['*']) };

export function missingScopes({ scopes: held }: Pick<Caller, 'scopes'>, scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !held.has('*') && !held.has(scope) && !held.has(forEveryType(scope)));
}

/** `records:read:post` -> `records:read` */
function forEveryType(scope: string): string {
  return scope.split(':', 2).join(':');
}

/** True if the caller holds a scope, for everything or for the one content type asked about. */
export function isAllowed({ scopes }: Caller, scope: Scope, type?: string): boolean {
  return scopes.has('*') || scopes.has(scope) || (type !== undefined && scopes.has(`${scope}:${type}`));
}

export function credentialKey(caller: Caller): string {
  return caller.sessionId === undefined ? callerKey(caller) : sessionKey(caller.sessionId);
}

export function sessionKey(sessionId: string): string {
  return `session:${sessionId}`;
}

/** The key by which requests of one user or token are counted, whatever the session. */
export function callerKey({ kind, id, name }: Caller): string {
  return `${kind}:${id ?? `configured:${name}`}`;
}
