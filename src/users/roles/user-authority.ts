import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AuthenticatedRequest } from '../../common/access/access.decorators.js';
import { missingScopes, type Caller } from '../../common/access/caller.js';
import type { Initiator } from '../../common/access/initiator.js';
import { insufficientScope } from '../../common/access/insufficient-scope.js';
import { visitorOf, type Visitor } from '../../common/access/visitor.js';
import type { ServiceRequest } from '../../common/http/request-context.js';
import type { Account } from '../rows/account.js';
import type { Giver } from '../rows/user-columns.js';
import { scopesOf, type Role } from './roles.js';

/** The power of an initiator over users. */
export class UserAuthority implements Initiator {
  constructor(
    readonly actor: Caller,
    readonly visitor: Visitor | null = null,
    /** @throws {DomainError} `insufficient_user_authentication`: the sign-in of the initiator is not fresh */
    readonly requireFresh: () => void = () => undefined,
  ) {}

  /** The same, with the actor of a unit of work. */
  as(actor: Caller): UserAuthority {
    return new UserAuthority(actor, this.visitor, this.requireFresh);
  }

  /** A caller can take over no more than they hold themselves. @throws {DomainError} `insufficient_scope` */
  requireOver({ role, issuerRole }: Pick<Account, 'role' | 'issuerRole'>): void {
    this.requireRole(role);
    if (issuerRole !== null) this.requireRole(issuerRole);
  }

  /** See {@link Giver}. */
  get giver(): Giver {
    return this.actor.scopes.has('*') ? 'admin' : 'others';
  }

  /** Only those who can do everything vouch for an address. @throws {DomainError} `insufficient_scope` */
  requireVouching(verified = false): void {
    if (!verified || this.giver === 'admin') return;
    throw insufficientScope('Only with the scope * an address is vouched for. Leave verified out.', ['*']);
  }

  /** A caller can give no more than they hold themselves. @throws {DomainError} `insufficient_scope` */
  requireRole(role: Role): void {
    const missing = missingScopes(this.actor, scopesOf(role));
    if (missing.length === 0) return;
    throw insufficientScope(
      `Users with the role ${role} can only be managed with all scopes of that role. Missing: ${missing.join(', ')}.`,
      missing,
    );
  }
}

export const CurrentAuthority = createParamDecorator((_: unknown, context: ExecutionContext): UserAuthority => {
  const request = context.switchToHttp().getRequest<ServiceRequest & AuthenticatedRequest>();
  return new UserAuthority(request.caller, visitorOf(request), request.requireFresh);
});
