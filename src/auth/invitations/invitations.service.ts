import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit/audit.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { Account } from '../../users/account.js';
import type { Role } from '../../users/roles.js';
import type { Authority } from '../../users/user-authority.js';
import { requireEmail } from '../../users/user-columns.js';
import { emailTaken } from '../../users/user.errors.js';
import { UsersService } from '../../users/users.service.js';
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

/** Invites people by mail. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly users: UsersService,
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
  async invite(invitation: Invitation, authority: Authority): Promise<Account> {
    const account = await this.invited(invitation, authority);
    const token = newSecret();
    const { actor, visitor } = authority;
    const { id: userId, email, emailKey: subject } = account;
    await this.unitOfWork.run(async (manager) => {
      const link = { purpose: 'invitation', seconds: INVITATION_SECONDS, letter: invitationLetter } as const;
      await this.links.send(manager, { ...link, subject, userId, to: email, token });
      await this.audit.add(manager, { event: 'invitation.sent', outcome: 'success', userId, email, actor, visitor });
    });
    return account;
  }

  private async invited({ email, name, role }: Invitation, authority: Authority): Promise<Account> {
    const known = await this.users.findByKey(requireEmail(email).key);
    if (!known) return this.users.create({ email, name, role }, authority);
    if (known.emailVerifiedAt !== null) throw emailTaken(undefined);
    return this.users.update(known.id, { name, role }, authority);
  }
}
