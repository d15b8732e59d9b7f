import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../../common/access/visitor.js';
import { Settings } from '../../../config/settings.js';
import { requireEmail } from '../../../users/rows/user-columns.js';
import { Destinations } from './destinations.js';
import type { SendLinkDto } from './send-link.dto.js';
import type { MailAnswer } from '../challenges/mail-answer.js';
import { RESEND_SECONDS } from '../challenges/mail-limits.js';
import { SignInMails } from './sign-in-mails.js';

/** Answers to requests for a code or a link: the same for every address. */
@Injectable()
export class SignInMailAnswers {
  constructor(
    private readonly mails: SignInMails,
    private readonly destinations: Destinations,
    private readonly settings: Settings,
  ) {}

  /** @throws {DomainError} `too_many_requests` */
  async code(email: string, visitor: Visitor): Promise<MailAnswer> {
    await this.mails.send({ email: requireEmail(email), event: 'otp.sent', destination: null }, visitor);
    return answer('a code', this.settings.signIn.codeSeconds);
  }

  /** @throws {DomainError} `too_many_requests`, `validation_failed` */
  async link({ email, ...goal }: SendLinkDto, visitor: Visitor): Promise<MailAnswer> {
    const destination = this.destinations.of(goal);
    await this.mails.send({ email: requireEmail(email), event: 'magic_link.sent', destination }, visitor);
    return answer('a link', this.settings.signIn.linkSeconds);
  }
}

function answer(what: string, seconds: number): MailAnswer {
  const message = `If the address can sign in, ${what} has been sent.`;
  return { message, expires_in: seconds, resend_in: RESEND_SECONDS };
}
