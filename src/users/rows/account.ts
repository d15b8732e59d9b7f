import type { Role } from '../roles/roles.js';

/** A user as the rest of the service sees one. Never handed to a client as it is: see `UserDto`. */
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  /** One for all spellings of the mailbox, see `EmailAddress`. */
  readonly emailKey: string;
  readonly role: Role;
  /** Argon2id; `null` for a user without a password. */
  readonly passwordHash: string | null;
  /**
   * When the password was last set or taken away, also by a lock-down of an account without one; `null`: never. Times are
   * milliseconds since 1970, UTC.
   */
  readonly passwordChangedAt: number | null;
  /**
   * Since when others know the password who cannot do everything themselves, or have known one that was taken away since;
   * `null`: its owner has set it, an administrator with all scopes has given it, or there was never one.
   */
  readonly passwordGivenAt: number | null;
  readonly emailVerifiedAt: number | null;
  readonly disabledAt: number | null;
  /** The provider that has disabled the user; `null`: an administrator has, or nothing. */
  readonly disabledReason: string | null;
  /** The provider whose groups give the role; `null`: administrators give it. */
  readonly roleSource: string | null;
  /**
   * The role that a trusted issuer or a gateway has named for the person, whose requests have it then, and not `role`:
   * the latest, or a stronger one of the last hour. `null`: none has.
   */
  readonly issuerRole: Role | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What makes a user. `email` may be any spelling of a valid address. */
export interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password?: string | null;
  readonly role?: Role;
  /** An administrator vouches that the address is theirs. */
  readonly verified?: true;
}

/** What changes in a user; what is left out stays. `password: null` takes the password away. */
export interface AccountChanges {
  readonly name?: string;
  readonly email?: string;
  readonly password?: string | null;
  readonly role?: Role;
  readonly disabled?: boolean;
  /** An administrator vouches that the address is theirs. */
  readonly verified?: true;
}

/**
 * Whether an administrator with all scopes has set an account up whose address is not proved: what opens it came by the
 * password that they gave, and of no stranger.
 */
export function isSetUpByAdmin({ emailVerifiedAt, passwordHash, passwordGivenAt, roleSource }: Account): boolean {
  return emailVerifiedAt === null && passwordHash !== null && passwordGivenAt === null && roleSource === null;
}
