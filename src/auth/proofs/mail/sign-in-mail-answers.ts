import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../../common/access/visitor.js';
import { Settings } from '../../../config/settings.js';
import { requireEmail } from '../../../users/rows/user-columns.js';
import { LinkRedirects } from './link-redirects.js';
import type { SendLinkDto } from './send-link.dto.js';
import type { MailAnswer } from '../challenges/mail-answer.js';
import { RESEND_SECONDS } from '../challenges/mail-limits.js';
import { SignInMails } from './sign-in-mails.js';

/** Answers to requests for a code or a link: the same for every address. */
@Injectable()
export class SignInMailAnswers {
  constructor(
    private readonly mails: SignInMails,
    private readonly redirects: LinkRedirects,
    private readonly settings: Settings,
  ) {}

  /** @throws {DomainError} `too_many_requests` */
  async code(email: string, visitor: Visitor): Promise<MailAnswer> {
    await this.mails.send({ email: requireEmail(email), event: 'otp.sent', destination: null }, visitor);
    return answer('a code', this.settings.signIn.codeSeconds);
  }

  /** @throws {DomainError} `too_many_requests`, `validation_failed` */
  async link({ email, ...goal }: SendLinkDto, visitor: Visitor): Promise<MailAnswer> {
    const destination = this.redirects.of(goal);
    await this.mails.send({ email: requireEmail(email), event: 'magic_link.sent', destination }, visitor);
    return answer('a link', this.settings.signIn.linkSeconds);
  }
}

function answer(what: string, seconds: number): MailAnswer {
  const message = `If the address can sign in, ${what} has been sent.`;
  return { message, expires_in: seconds, resend_in: RESEND_SECONDS };
}
