import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { EmailAddress } from '../../users/email-address.js';
import { MailedLinks } from '../challenges/mailed-links.js';
import { MailLimits } from '../challenges/mail-limits.js';
import { mailEvent, Recipients } from '../challenges/recipients.js';
import { newSecret } from '../secrets.js';
import { resetLetter } from './password-letters.js';

/** How long a link for a new password is good for. */
export const RESET_SECONDS = 1_800;

/** Mails links for a new password. Every address is dealt with by the same statements, also one that nobody has. */
@Injectable()
export class ForgottenPasswords {
  constructor(
    private readonly limits: MailLimits,
    private readonly unitOfWork: UnitOfWork,
    private readonly recipients: Recipients,
    private readonly links: MailedLinks,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `too_many_requests` */
  async send(email: EmailAddress, visitor: Visitor): Promise<void> {
    if (!(await this.limits.take({ purpose: 'password_reset', subject: email.key }))) return;
    const token = newSecret();
    await this.unitOfWork.run((manager) => this.post(manager, email, token, visitor));
  }

  private async post(manager: EntityManager, email: EmailAddress, token: string, visitor: Visitor): Promise<void> {
    const recipient = await this.recipients.ofAccount(manager, email);
    await this.links.send(manager, {
      purpose: 'password_reset',
      subject: email.key,
      ...recipient,
      token,
      seconds: RESET_SECONDS,
      letter: resetLetter,
    });
    await this.audit.add(manager, { ...mailEvent('password.forgot', email, recipient), visitor });
  }
}
