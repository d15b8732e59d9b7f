import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { AuditDetails } from '../../audit/audit-event.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import type { Account } from '../../users/rows/account.js';
import { CredentialRevocation, ALL_CREDENTIALS, type CredentialKind } from '../accounts/credential-revocation.js';
import { Identity, issuerOf, OF_ISSUER } from '../accounts/identity.entity.js';
import { ManagedRoleRemoval } from '../accounts/managed-role-removal.js';
import { serviceTokensOf } from '../tokens/api/rows/token-rows.js';
import { LockDownMail } from './lock-down-mail.js';

/** What came of a lock-down. */
export interface LockedDown {
  /** Whether a link for a new password was mailed. */
  readonly isMailed: boolean;
  /** What the service tokens begin with that the user is responsible for: they go on. */
  readonly serviceTokens: readonly string[];
  /** The issuers and gateways whose sign-in goes on opening the account: `corp`. */
  readonly issuers: readonly string[];
}

/** Who locks an account down, and how its owner comes back. */
interface LockDown {
  readonly visitor: Visitor;
  readonly sessionId?: string;
  /** How it was asked for. */
  readonly details: AuditDetails;
  /** Of the link for a new password; `null`: none is mailed. */
  readonly resetToken: string | null;
}

/**
 * Takes password, sessions, identities and personal API tokens away from an account, and notes it. Identities of trusted
 * issuers and gateways stay, since ending them would protect nothing: see `provider_identities` of {@link CredentialKind}.
 * A sign-in there that is in other hands is ended there, or the account is disabled.
 */
@Injectable()
export class LockedAccounts {
  constructor(
    private readonly credentials: CredentialRevocation,
    private readonly mail: LockDownMail,
    private readonly roles: ManagedRoleRemoval,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  /** @param account as {@link ManagedRoleRemoval.hold} has it in this unit of work */
  async end(manager: EntityManager, account: Account, { resetToken, details, ...from }: LockDown): Promise<LockedDown> {
    const { id: userId, email, disabledAt } = account;
    const kinds = [...credentialsOf(account), await this.roles.ofLockDown(manager, account)];
    const { ended, account: present } = await this.credentials.revoke(manager, account, {
      reason: 'locked_down',
      kinds,
    });
    const role: AuditDetails = present.role === account.role ? {} : { role: present.role, former_role: account.role };
    const serviceTokens = (await serviceTokensOf(manager, userId, this.clock.now())).map(({ hint }) => hint);
    await this.audit.add(manager, {
      event: 'account.locked_down',
      outcome: 'success',
      userId,
      email,
      ...from,
      details: { ...details, ...ended, ...role, service_tokens: serviceTokens },
    });
    const isMailed = resetToken !== null && disabledAt === null && this.mail.hasPasswords;
    if (isMailed) await this.mail.send(manager, account, resetToken);
    return { isMailed, serviceTokens, issuers: disabledAt === null ? await issuersOf(manager, userId) : [] };
  }
}

/**
 * The credentials that a lock-down revokes. A disabled account keeps the identities of providers that give roles: by
 * them its person is recognised and refused.
 */
function credentialsOf({ disabledAt }: Account): readonly CredentialKind[] {
  const identities = disabledAt === null ? 'provider_identities' : 'other_identities';
  return ALL_CREDENTIALS.map((kind) => (kind === 'identities' ? identities : kind));
}

async function issuersOf(manager: EntityManager, userId: number): Promise<string[]> {
  const identities = await manager.find(Identity, { where: { userId, provider: OF_ISSUER }, order: { id: 'ASC' } });
  return identities.map((identity) => issuerOf(identity)).filter((name) => name !== null);
}
