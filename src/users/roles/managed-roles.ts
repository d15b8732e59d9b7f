import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { Settings } from '../../config/settings.js';
import type { Account } from '../rows/account.js';
import type { PreparedChanges } from '../rows/user-columns.js';

/** Keeps roles that a directory gives out of other hands. */
@Injectable()
export class ManagedRoles {
  /** Providers whose groups become roles. */
  private readonly sources: ReadonlySet<string>;

  constructor({ providers, signIn }: Settings) {
    this.sources = new Set(providers.oidc?.roles && signIn.methods.has('oidc') ? ['oidc'] : []);
  }

  /** Whether the role comes from a provider that still gives roles. */
  isManaged({ roleSource }: Pick<Account, 'roleSource'>): boolean {
    return roleSource !== null && this.sources.has(roleSource);
  }

  /**
   * Lets a change of a role pass that is made by its source, or has none.
   *
   * @throws {DomainError} `managed_elsewhere`
   */
  require(user: Account, { role = user.role, roleSource }: PreparedChanges): void {
    if (role === user.role || roleSource !== undefined || !this.isManaged(user)) return;
    throw managedElsewhere(user);
  }
}

export function managedElsewhere({ roleSource }: Pick<Account, 'roleSource'>): DomainError {
  const message = `The role of this user comes from the groups of the provider ${roleSource}. Change them there.`;
  return new DomainError('managed_elsewhere', message);
}
