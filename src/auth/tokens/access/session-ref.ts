import type { Caller } from '../../../common/access/caller.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { Account } from '../../../users/rows/account.js';

export interface SessionRef {
  readonly userId: number;
  readonly sessionId: string;
}

/** @throws {DomainError} `invalid_token`: an API token belongs to no session; `no_session`: nor does a token of an issuer */
export function requireSession({ id, sessionId, issuer }: Caller): SessionRef {
  if (id !== null && sessionId !== undefined) return { userId: id, sessionId };
  if (issuer !== undefined) {
    const message = 'You are signed in at another service, so there is no session here. Sign in here to do that.';
    throw new DomainError('no_session', message);
  }
  throw new DomainError('invalid_token', 'This needs a session. Send the token of a user who has signed in.');
}

/** The row of a session or of its user, which may have gone since the session was let in. @throws {DomainError} `invalid_token` */
export function requirePresent<Row extends object>(found: Row | null): Row {
  if (found) return found;
  throw new DomainError('invalid_token', 'The token is not valid, has expired or was revoked.');
}

/** A session right after it was opened or refreshed: what its tokens are made of. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly counter: number;
  readonly account: Account;
  /** Methods by which its user proved who they are. @see RFC 8176 */
  readonly amr: readonly string[];
  /** Time of that proof, milliseconds since 1970, UTC; 0: unknown. */
  readonly authTime: number;
  /** Time at which it ends unless it is refreshed before, milliseconds since 1970, UTC. */
  readonly endsAt: number;
}
