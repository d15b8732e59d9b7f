import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import { isUniqueViolation } from '../../../database/dialect/database-error.js';
import { readerOf } from '../../../database/statements/reads.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { Account } from '../../../users/rows/account.js';
import type { UserAuthority } from '../../../users/roles/user-authority.js';
import { hasUsers } from '../../../users/rows/user-rows.js';
import { retryOnCollision } from '../../accounts/sign-up.js';
import { MailedLinks } from '../challenges/mailed-links.js';
import { newSecret } from '../../secrets/secrets.js';
import { InvitedAccounts, type Invitation } from './invited-accounts.js';
import type { Caller } from '../../../common/access/caller.js';
import type { Letter } from '../../../mail/letter.js';
import type { Role } from '../../../users/roles/roles.js';

/** With the link by which an invited user begins: who invites them, to what, and as what. */
function invitationLetter(actor: Caller, role: Role): (url: string, service: string) => Letter {
  const inviter = personOf(actor);
  return (url, service) => {
    const invited = inviter === null ? `You are invited to ${service}` : `${inviter} invites you to ${service}`;
    return {
      subject: invited,
      paragraphs: [`${invited}, as ${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}. Open this link to begin:`],
      action: { label: 'Accept the invitation', url },
      footer: 'The link works once, within seven days. If you did not expect the invitation, do nothing.',
    };
  };
}

/** The name of the person who acts; `null`: a service token, the settings or the command line does. */
function personOf({ kind, name, author }: Caller): string | null {
  if (author !== undefined) return author.kind === 'user' ? author.name : null;
  return kind === 'user' ? name : null;
}

/** How long an invitation is good for. */
export const INVITATION_SECONDS = 7 * 86_400;

/** Invites people by mail. An account and the link to it are there together, or neither is. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invited: InvitedAccounts,
    private readonly links: MailedLinks,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  /**
   * Adds a user without a password, and mails them a link. A user who has not come yet can be invited again: the link
   * before is over then, name and role are those of the new invitation, and what opened the account is taken away.
   *
   * @throws {DomainError} `email_taken`: the address is proved; `last_admin`: the user is the last one who could act;
   *   `insufficient_scope`, `managed_elsewhere`, `account_disabled`
   */
  async invite(invitation: Invitation, authority: UserAuthority): Promise<Account> {
    const account = await retryOnCollision(() =>
      this.unitOfWork.run(async (manager) =>
        this.send(manager, await this.invited.of(manager, invitation, authority), authority),
      ),
    );
    this.invited.settled(account);
    return account;
  }

  /** The same where there is no user at all; elsewhere nothing happens. */
  async inviteFirst(invitation: Invitation, authority: UserAuthority): Promise<void> {
    try {
      await this.unitOfWork.run(async (manager) => {
        if (!(await hasUsers(readerOf(manager))))
          await this.send(manager, await this.invited.add(manager, invitation, authority), authority);
      });
    } catch (error) {
      // Another process has begun at the same moment.
      if (!isUniqueViolation(error)) throw error;
    }
  }

  private async send(manager: EntityManager, account: Account, { actor, visitor }: UserAuthority): Promise<Account> {
    const { id: userId, email, emailKey: subject } = account;
    const letter = invitationLetter(actor, account.role);
    const link = { purpose: 'invitation', seconds: INVITATION_SECONDS, letter } as const;
    await this.links.send(manager, { ...link, subject, userId, to: email, token: newSecret() });
    await this.audit.add(manager, { event: 'invitation.sent', outcome: 'success', userId, email, actor, visitor });
    return account;
  }
}
