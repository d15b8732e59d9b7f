import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { EmailAddress } from '../../../common/text/email-address.js';
import { MailLimits } from '../challenges/mail-limits.js';
import { mailEvent, Recipients, withheldUnless } from '../challenges/recipients.js';
import { newCode } from '../challenges/code-hashes.js';
import { newSecret } from '../../secrets/secrets.js';
import { SignInChallenges, type Destination } from './sign-in-challenges.js';

/** A request for a mail to sign in with. */
export interface MailRequest {
  readonly email: EmailAddress;
  /** What the audit calls it. */
  readonly event: 'otp.sent' | 'magic_link.sent';
  /** Where the link leads in the end; `null`: nowhere. */
  readonly destination: Destination | null;
}

/**
 * Sends codes and links. Every address is dealt with by the same statements, also one without an account: it gets a
 * challenge that no code can consume, and a mail that is dropped.
 */
@Injectable()
export class SignInMails {
  constructor(
    private readonly limits: MailLimits,
    private readonly unitOfWork: UnitOfWork,
    private readonly recipients: Recipients,
    private readonly challenges: SignInChallenges,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `too_many_requests` */
  async send(request: MailRequest, visitor: Visitor): Promise<void> {
    const asked = {
      purpose: 'sign_in',
      subject: request.email.key,
      recipient: (manager: EntityManager) => this.recipients.ofSignIn(manager, request.email),
      visitor,
    } as const;
    await this.limits.send(asked, (isSent) => {
      const secrets = { code: newCode(), token: newSecret(), isSent };
      return this.unitOfWork.run((manager) => this.post(manager, request, secrets, visitor));
    });
  }

  private async post(
    manager: EntityManager,
    { email, event, destination }: MailRequest,
    { isSent, ...secrets }: { readonly code: string; readonly token: string; readonly isSent: boolean },
    visitor: Visitor,
  ): Promise<void> {
    const recipient = withheldUnless(isSent, await this.recipients.ofSignIn(manager, email));
    await this.challenges.begin(manager, { email, ...recipient, destination, ...secrets });
    await this.audit.add(manager, { ...mailEvent(event, email, recipient), visitor });
  }
}
