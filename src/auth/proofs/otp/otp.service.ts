import { Injectable } from '@nestjs/common';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { Challenges } from '../challenges/challenges.js';
import { CodeTries } from './code-tries.js';
import { MailSignInService, type Means } from '../mail/mail-sign-in.service.js';

const CODE: Means = { amr: 'otp', event: 'otp.verify' };

/** Signing in with a code from a mail. */
@Injectable()
export class OtpService {
  constructor(
    private readonly tries: CodeTries,
    private readonly challenges: Challenges,
    private readonly signIn: MailSignInService,
    private readonly audit: Audit,
  ) {}

  /**
   * @param emailKey see `EmailAddress`
   * @param code six digits
   * @throws {DomainError} `invalid_code`, `account_disabled`, `signup_closed`, `too_many_requests`
   */
  verify(emailKey: string, code: string, visitor: Visitor): Promise<OpenedSession> {
    return this.audit.noteRefusal({ event: 'otp.verify', typedEmail: emailKey, visitor }, async () => {
      const opened = await this.tries.try({ emailKey, code }, visitor, (open) =>
        this.signIn.open(CODE, {
          emailKey,
          visitor,
          consume: (manager) => this.challenges.consumeByCode(manager, open),
        }),
      );
      if (!opened) throw new DomainError('invalid_code', 'The code is invalid or has expired.');
      return opened;
    });
  }
}
