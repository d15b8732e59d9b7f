import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../../common/access/visitor.js';
import { ValidationError } from '../../../common/errors/domain-error.js';
import { Settings } from '../../../config/settings.js';
import { requireEmail } from '../../../users/rows/user-columns.js';
import { RedirectTargets } from '../../exchange/redirect-targets.js';
import { RESEND_SECONDS, type MailAnswer } from '../challenges/mail-limits.js';
import type { SendLinkDto } from '../challenges/send-mail.dto.js';
import { SignInMails, type Destination } from './sign-in-mails.js';

/** What a form of ours may lead to in the end, as a content security policy says it. */
export function formSources({ providers }: Settings): readonly string[] {
  return [...new Set(providers.redirectAllowList.map(sourceOf))];
}

/** An origin, or the scheme of an app, which has none. */
function sourceOf(address: string): string {
  const { origin, protocol } = new URL(address);
  return origin === 'null' ? protocol : origin;
}

function fault(field: string, rule: string, message: string): ValidationError {
  return new ValidationError([{ field, rule, message }]);
}

/** What is said of both ways to ask for a mail. */
export const ASKED_FOR =
  'Everybody is answered alike, whether they have an account or not. Within a minute of a mail nothing is sent, and what ' +
  'it holds still works; there are five mails an hour for an address and then one in ten minutes, and five for each device on which its user was ' +
  'signed in before.';

/** Answers to requests for a code or a link: the same for every address. */
@Injectable()
export class SignInMailAnswers {
  constructor(
    private readonly mails: SignInMails,
    private readonly targets: RedirectTargets,
    private readonly settings: Settings,
  ) {}

  /** @throws {DomainError} `too_many_requests` */
  async code(email: string, visitor: Visitor): Promise<MailAnswer> {
    await this.mails.send({ email: requireEmail(email), event: 'otp.sent', destination: null }, visitor);
    return answer('a code', this.settings.signIn.codeSeconds);
  }

  /** @throws {DomainError} `too_many_requests`, `validation_failed` */
  async link({ email, ...goal }: SendLinkDto, visitor: Visitor): Promise<MailAnswer> {
    const destination = this.destinationOf(goal);
    await this.mails.send({ email: requireEmail(email), event: 'magic_link.sent', destination }, visitor);
    return answer('a link', this.settings.signIn.linkSeconds);
  }

  /** Fixed when the mail is requested, never a part of the link itself. `null`: nowhere. @throws {ValidationError} */
  private destinationOf(goal: Omit<SendLinkDto, 'email'>): Destination | null {
    const { redirect_to: redirectTo, code_challenge: codeChallenge } = goal;
    if (redirectTo === undefined) {
      if (codeChallenge !== undefined) throw fault('redirect_to', 'required', 'code_challenge needs redirect_to.');
      return null;
    }
    if (!this.targets.isAllowed(redirectTo)) {
      throw fault('redirect_to', 'allowed', 'redirect_to is none of the addresses that this service leads back to.');
    }
    return { redirectTo, codeChallenge: codeChallenge ?? null };
  }
}

function answer(what: string, seconds: number): MailAnswer {
  const message = `If the address can sign in, ${what} has been sent.`;
  return { message, expires_in: seconds, resend_in: RESEND_SECONDS };
}
