import type { Role } from './roles.js';

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
  /** Times are milliseconds since 1970, UTC. */
  readonly emailVerifiedAt: number | null;
  readonly disabledAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What makes a user. `email` may be any spelling of a valid address. */
export interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password?: string | null;
  readonly role?: Role;
  /** Whether somebody vouches that the address is theirs. */
  readonly isVerified?: boolean;
}

/** What changes in a user; what is left out stays. `password: null` takes the password away. */
export interface AccountChanges {
  readonly name?: string;
  readonly email?: string;
  readonly password?: string | null;
  readonly role?: Role;
  readonly disabled?: boolean;
}
