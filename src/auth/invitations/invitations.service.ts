import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import { isUniqueViolation } from '../../database/database-error.js';
import { select } from '../../database/statement.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { Account } from '../../users/account.js';
import { Accounts } from '../../users/accounts.js';
import type { Role } from '../../users/roles.js';
import type { Authority } from '../../users/user-authority.js';
import { UserChanges } from '../../users/user-changes.js';
import { requireEmail } from '../../users/user-columns.js';
import { emailTaken } from '../../users/user.errors.js';
import { MailedLinks } from '../challenges/mailed-links.js';
import { newSecret } from '../secrets.js';
import { invitationLetter } from './invitation-letter.js';

/** How long an invitation is good for. */
export const INVITATION_SECONDS = 7 * 86_400;

/** Whom to invite, and as what. */
export interface Invitation {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/** Two invitations of one address run into each other once at most: then the account is there. */
const MAX_TRIES = 3;

/** Invites people by mail. An account and the link to it are there together, or neither is. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly accounts: Accounts,
    private readonly changes: UserChanges,
    private readonly links: MailedLinks,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  /**
   * Adds a user without a password, and mails them a link. Whoever has not come yet can be invited again: the link before
   * is over then, and name and role are those of the new invitation.
   *
   * @throws {DomainError} `email_taken`: somebody has proved that the address is theirs; `insufficient_scope`
   */
  async invite(invitation: Invitation, authority: Authority, tries = 1): Promise<Account> {
    try {
      const account = await this.unitOfWork.run(async (manager) =>
        this.send(manager, await this.invited(manager, invitation, authority), authority),
      );
      this.changes.settled(account.id);
      return account;
    } catch (error) {
      if (tries >= MAX_TRIES || !isUniqueViolation(error)) throw error;
      return this.invite(invitation, authority, tries + 1);
    }
  }

  /** The same where there is no user at all; elsewhere nothing happens. */
  async inviteFirst(invitation: Invitation, authority: Authority): Promise<void> {
    try {
      await this.unitOfWork.run(async (manager) => {
        const known = await select(manager, 'SELECT id FROM users LIMIT 1', []);
        if (known.length === 0) await this.send(manager, await this.added(manager, invitation, authority), authority);
      });
    } catch (error) {
      // Another process has begun at the same moment.
      if (!isUniqueViolation(error)) throw error;
    }
  }

  private async send(manager: EntityManager, account: Account, { actor, visitor }: Authority): Promise<Account> {
    const { id: userId, email, emailKey: subject } = account;
    const link = { purpose: 'invitation', seconds: INVITATION_SECONDS, letter: invitationLetter } as const;
    await this.links.send(manager, { ...link, subject, userId, to: email, token: newSecret() });
    await this.audit.add(manager, { event: 'invitation.sent', outcome: 'success', userId, email, actor, visitor });
    return account;
  }

  private async invited(manager: EntityManager, invitation: Invitation, authority: Authority): Promise<Account> {
    const { email, name, role } = invitation;
    const known = await this.accounts.findByEmail(manager, requireEmail(email));
    if (!known) return this.added(manager, invitation, authority);
    if (known.emailVerifiedAt !== null) throw emailTaken(undefined);
    authority.requireOver(role);
    const present = await this.changes.change(manager, known.id, { name, role }, authority);
    // They may have come at this very moment.
    if (present.emailVerifiedAt !== null) throw emailTaken(undefined);
    return present;
  }

  private added(manager: EntityManager, { email, name, role }: Invitation, authority: Authority): Promise<Account> {
    const account = { name, role, email: requireEmail(email), passwordHash: null, isVerified: false };
    return this.changes.add(manager, account, authority);
  }
}
