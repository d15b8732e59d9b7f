import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditEvent, AuditEventName } from '../../../audit/audit-event.js';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { objectOf } from '../../../common/openapi/describe.js';
import { named } from '../../../common/openapi/endpoint.js';
import type { EmailAddress } from '../../../common/text/email-address.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { Accounts } from '../../../users/rows/accounts.js';
import { DescribedBody, Field } from '../../../common/openapi/body.js';
import { IsEmailAddress } from '../../../users/user-fields.js';
import { USER_EMAIL } from '../../../users/user-schemas.js';
import { SignUp } from '../../accounts/sign-up.js';
import { MailLimits, type Recipient } from './mail-limits.js';

/** Body of whatever has mail sent to an address. */
@DescribedBody('SendMail', { email: 'ann@example.com' })
export class SendMailDto {
  @Field(USER_EMAIL, IsEmailAddress())
  email!: string;
}

/** The answer to every request for a mail: it does not show who has an account. */
export const MAIL_ANSWER = named(
  'MailAnswer',
  objectOf({
    message: { type: 'string' },
    expires_in: { type: 'integer', description: 'How long it works, seconds.', examples: [600] },
    resend_in: { type: 'integer', description: 'Until another mail can be sent, seconds.', examples: [60] },
  }),
);

interface AskedMail {
  readonly purpose: 'sign_in' | 'password_reset';
  readonly event: Extract<AuditEventName, 'otp.sent' | 'magic_link.sent' | 'password.forgot'>;
  readonly email: EmailAddress;
  readonly visitor: Visitor;
}

/**
 * Sends mails that can be asked for without a sign-in. An address without an account is dealt with by the same statements:
 * it gets a challenge that nothing can consume, and a mail that is dropped.
 */
@Injectable()
export class AskedMails {
  constructor(
    private readonly limits: MailLimits,
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly signUp: SignUp,
    private readonly audit: Audit,
  ) {}

  /** @param post makes the challenge and the mail @throws {DomainError} `too_many_requests` */
  async send(
    { event, visitor, ...asked }: AskedMail,
    post: (manager: EntityManager, recipient: Recipient) => Promise<void>,
  ): Promise<void> {
    const recipient = (manager: EntityManager) => this.recipientOf(manager, asked);
    const { purpose, email } = asked;
    await this.limits.send({ purpose, subject: email.key, recipient, visitor }, (isSent) =>
      this.unitOfWork.run(async (manager) => {
        const { userId, to } = await recipient(manager);
        const getting = { userId, to: isSent ? to : null };
        await post(manager, getting);
        await this.audit.add(manager, { event, visitor, ...outcomeOf(email, getting) });
      }),
    );
  }

  /** A user who may sign in, at the stored address; for a sign-in an address that may sign up as well. */
  private async recipientOf(manager: EntityManager, { purpose, email }: Pick<AskedMail, 'purpose' | 'email'>) {
    const account = await this.accounts.findByEmail(manager, email);
    if (account) return { userId: account.id, to: account.disabledAt === null ? account.email : null };
    const isOpen = purpose === 'sign_in' && this.signUp.isOpenTo(email);
    return { userId: null, to: isOpen ? email.address : null };
  }
}

/** The outcome for the audit, which keeps only a hash of an address that gets no mail. */
function outcomeOf({ key }: EmailAddress, { userId, to }: Recipient): Omit<AuditEvent, 'event'> {
  if (to === null) return { outcome: 'failure', typedEmail: key, reason: 'not_sent' };
  return { outcome: 'success', userId, email: to };
}
