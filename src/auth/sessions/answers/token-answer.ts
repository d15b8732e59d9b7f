import type { Role } from '../../../users/roles/roles.js';

/** The answer to a proof of identity, of whatever kind. */
export interface TokenAnswer {
  readonly token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  /** Missing if it went into a cookie. */
  readonly refresh_token?: string;
  /** Seconds. */
  readonly refresh_expires_in: number;
  readonly user: SignedInUser;
}

/** A user as they see themselves. */
export interface SignedInUser {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  /** The role of their requests: that of the account, or the one that an issuer names. */
  readonly role: Role;
  readonly email_verified: boolean;
}
