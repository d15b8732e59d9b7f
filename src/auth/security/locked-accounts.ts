import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { AuditDetails } from '../../audit/audit-event.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import type { Account } from '../../users/rows/account.js';
import { CredentialEnd, OPENERS, type CredentialKind } from '../accounts/credential-end.js';
import { ManagedRoleEnd } from '../accounts/managed-role-end.js';
import { serviceTokensOf } from '../tokens/api/rows/owned-tokens.js';
import { LockDownMail } from './lock-down-mail.js';

/** What came of a lock-down. */
export interface LockedDown {
  /** Whether a link for a new password was mailed. */
  readonly isMailed: boolean;
  /** What the service tokens begin with that the user is responsible for: they go on. */
  readonly serviceTokens: readonly string[];
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

/** Takes password, sessions, identities and personal API tokens away from an account, and notes it. */
@Injectable()
export class LockedAccounts {
  constructor(
    private readonly credentials: CredentialEnd,
    private readonly mail: LockDownMail,
    private readonly roles: ManagedRoleEnd,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  /** @param account as {@link ManagedRoleEnd.hold} has it in this unit of work */
  async end(manager: EntityManager, account: Account, { resetToken, details, ...from }: LockDown): Promise<LockedDown> {
    const { id: userId, email, disabledAt } = account;
    const kinds = [...openersOf(account), await this.roles.ofLockDown(manager, account)];
    const { ended, account: present } = await this.credentials.end(manager, account, { reason: 'locked_down', kinds });
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
    return { isMailed, serviceTokens };
  }
}

/** What opens an account. One that is disabled keeps out who comes by a directory or an issuer, and needs the identity for it. */
function openersOf({ disabledAt }: Account): readonly CredentialKind[] {
  if (disabledAt === null) return OPENERS;
  return OPENERS.map((kind) => (kind === 'identities' ? 'other_identities' : kind));
}
