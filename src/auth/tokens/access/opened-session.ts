import type { Account } from '../../../users/rows/account.js';

/** A session right after it was opened or refreshed: what its tokens are made of. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly counter: number;
  readonly account: Account;
  /** How its user proved who they are. @see RFC 8176 */
  readonly amr: readonly string[];
  /** When they did, milliseconds since 1970, UTC; 0: unknown. */
  readonly authTime: number;
  /** When it ends unless it is refreshed before, milliseconds since 1970, UTC. */
  readonly endsAt: number;
}
