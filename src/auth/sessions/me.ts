import type { SignedInUser } from './answers/token-answer.js';

/** Who the caller is. A program with an API token is no user and has no session; a user of another issuer has none either. */
export interface Me {
  readonly user: SignedInUser | null;
  readonly session: {
    readonly id: string;
    /** `null`: unknown. */
    readonly auth_time: string | null;
    readonly amr: readonly string[];
    readonly expires_at: string;
  } | null;
  readonly scopes: readonly string[];
}
