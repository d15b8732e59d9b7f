import type { Account } from '../rows/account.js';
import { isGrowth, type Role } from './roles.js';

/** The source of a role that a trusted issuer or a gateway names, whichever of them it is. */
export const ISSUER = 'issuer';

/** A role with its source. */
export interface HeldRole {
  readonly role: Role;
  /** The provider whose groups give the role, or {@link ISSUER}; `null`: administrators give it. */
  readonly source: string | null;
}

/**
 * The most that an account may do. Requests that an issuer or a gateway vouches for have the role that it names, and
 * sessions of this service the stored one: the stronger of the two.
 */
export function heldRole({
  role,
  roleSource,
  issuerRole,
}: Pick<Account, 'role' | 'roleSource' | 'issuerRole'>): HeldRole {
  if (issuerRole !== null && isGrowth(role, issuerRole)) return { role: issuerRole, source: ISSUER };
  return { role, source: roleSource };
}
