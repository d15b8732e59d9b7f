import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { EmailAddress } from '../../users/email-address.js';
import { MailLimits } from './mail-limits.js';
import { mailEvent, Recipients } from './recipients.js';
import { newCode } from './code-hashes.js';
import { newSecret } from '../secrets.js';
import { SignInChallenges, type Destination } from './sign-in-challenges.js';

/** What somebody asks for who wants to sign in by mail. */
export interface MailWish {
  readonly email: EmailAddress;
  /** What the audit calls it. */
  readonly event: 'otp.sent' | 'magic_link.sent';
  /** Where the link leads in the end; `null`: nowhere. */
  readonly destination: Destination | null;
}

/**
 * Sends codes and links. Every address is dealt with by the same statements, also one that nobody has: it gets a
 * challenge that no code meets, and a mail that is dropped.
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
  async send(wish: MailWish, visitor: Visitor): Promise<void> {
    if (!(await this.limits.take({ purpose: 'sign_in', subject: wish.email.key }))) return;
    const secrets = { code: newCode(), token: newSecret() };
    await this.unitOfWork.run((manager) => this.post(manager, wish, secrets, visitor));
  }

  private async post(
    manager: EntityManager,
    { email, event, destination }: MailWish,
    secrets: { readonly code: string; readonly token: string },
    visitor: Visitor,
  ): Promise<void> {
    const recipient = await this.recipients.ofSignIn(manager, email);
    await this.challenges.begin(manager, { email, ...recipient, destination, ...secrets });
    await this.audit.add(manager, { ...mailEvent(event, email, recipient), visitor });
  }
}
