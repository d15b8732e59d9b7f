import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../../audit/audit.js';
import type { Visitor } from '../../../../common/access/visitor.js';
import { UnitOfWork } from '../../../../database/units/unit-of-work.js';
import type { EmailAddress } from '../../../../common/text/email-address.js';
import { MailedLinks, RESET_SECONDS } from '../../challenges/mailed-links.js';
import { MailLimits } from '../../challenges/mail-limits.js';
import { mailEvent, Recipients, withheldUnless } from '../../challenges/recipients.js';
import { newSecret } from '../../../secrets/secrets.js';
import type { Letter } from '../../../../mail/letter.js';

/** With the link for a new password. */
function resetLetter(url: string, service: string): Letter {
  return {
    subject: `A new password for ${service}`,
    paragraphs: [`A new password was asked for, for your account at ${service}. If that was you, choose one:`],
    action: { label: 'Choose a new password', url },
    footer: 'The link works once, within 30 minutes. If it was not you, do nothing: your password stays as it is.',
  };
}

/** Mails links for a new password. Every address is dealt with by the same statements, also one without an account. */
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
    const asked = {
      purpose: 'password_reset',
      subject: email.key,
      recipient: (manager: EntityManager) => this.recipients.ofAccount(manager, email),
      visitor,
    } as const;
    await this.limits.send(asked, (isSent) => {
      const mail = { token: newSecret(), isSent };
      return this.unitOfWork.run((manager) => this.post(manager, email, mail, visitor));
    });
  }

  private async post(
    manager: EntityManager,
    email: EmailAddress,
    { token, isSent }: { readonly token: string; readonly isSent: boolean },
    visitor: Visitor,
  ): Promise<void> {
    const recipient = withheldUnless(isSent, await this.recipients.ofAccount(manager, email));
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
