import type { User } from './user.entity.js';

/** A user as the rest of the service sees one. Never handed to a client as it is: see `UserDto`. */
export type Account = Readonly<User>;

/** True if an administrator with all scopes has given the password of an account whose address is not proved. */
export function isSetUpByAdmin({ emailVerifiedAt, passwordHash, passwordGivenAt, roleSource }: Account): boolean {
  return emailVerifiedAt === null && passwordHash !== null && passwordGivenAt === null && roleSource === null;
}
