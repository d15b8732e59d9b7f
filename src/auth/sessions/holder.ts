import type { Caller } from '../../common/access/caller.js';
import { DomainError } from '../../common/errors/domain-error.js';

/** Whoever holds a token of a session. */
export interface Holder {
  readonly userId: number;
  readonly sessionId: string;
}

/**
 * The session of a caller.
 *
 * @throws {DomainError} `invalid_token`: an API token belongs to no session
 */
export function holderOf({ id, sessionId }: Caller): Holder {
  if (id !== null && sessionId !== undefined) return { userId: id, sessionId };
  throw new DomainError('invalid_token', 'This is about a session. Send the token of a user who has signed in.');
}
