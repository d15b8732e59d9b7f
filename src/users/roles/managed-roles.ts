import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { Settings } from '../../config/settings.js';
import type { Account } from '../rows/account.js';
import type { PreparedChanges } from '../rows/user-columns.js';
import { isGrowth } from './roles.js';

/**
 * The most that an account may do, and the provider or `issuer` that says so; `null`: administrators. Requests that an
 * issuer or a gateway vouches for have the role that it names, and sessions the stored one: the stronger of the two.
 */
export function heldRole({ role, roleSource, issuerRole }: Pick<Account, 'role' | 'roleSource' | 'issuerRole'>) {
  if (issuerRole !== null && isGrowth(role, issuerRole)) return { role: issuerRole, source: 'issuer' };
  return { role, source: roleSource };
}

/** Keeps roles that a directory or an issuer gives out of other hands. */
@Injectable()
export class ManagedRoles {
  constructor(private readonly settings: Settings) {}

  /** True if the role comes from a provider that still gives roles. */
  isManaged({ roleSource }: Pick<Account, 'roleSource'>): boolean {
    const { providers, signIn } = this.settings;
    return roleSource === 'oidc' && Boolean(providers.oidc?.roles) && signIn.methods.has('oidc');
  }

  /** Lets a change of a role pass that its source makes. @throws {DomainError} `managed_elsewhere` */
  require(user: Account, { role = user.role, roleSource }: PreparedChanges): void {
    if (role === user.role || roleSource !== undefined || !this.isManaged(user)) return;
    throw managedElsewhere(user);
  }

  /**
   * A change without the role that an issuer names for the user anyway: stored here, it would outlive that of the issuer.
   *
   * @throws {DomainError} `managed_elsewhere`: a lesser one, with which the user would keep that of the issuer
   */
  withoutHeld(user: Account, changes: PreparedChanges): PreparedChanges {
    const { role, ...others } = changes;
    const held = heldRole(user);
    if (role === undefined || changes.roleSource !== undefined || held.source !== 'issuer') return changes;
    if (isGrowth(held.role, role)) return changes;
    if (role === held.role) return others;
    const message = `An issuer or a gateway names the role ${held.role} for this user. Change it there, or unlink the identity.`;
    throw new DomainError('managed_elsewhere', message);
  }
}

export function managedElsewhere({ roleSource }: Pick<Account, 'roleSource'>): DomainError {
  const message = `The role of this user comes from the groups of the provider ${roleSource}. Change them there.`;
  return new DomainError('managed_elsewhere', message);
}
