import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { AccountTries } from '../limits/account-tries.js';
import type { OpenedSession } from '../sessions/opened-session.js';
import { Challenges } from './challenges.js';
import { CodeCheck } from './code-check.js';
import { MailSignIn, type Means } from './mail-sign-in.service.js';

/** Wrong codes for one address, whichever code they were meant for: a new one does not give new tries. */
const FAILURES = { limit: 10, seconds: 900 };

const CODE: Means = { amr: 'otp', event: 'otp.verify' };

/** Signing in with a code out of a mail. */
@Injectable()
export class OtpService {
  constructor(
    private readonly check: CodeCheck,
    private readonly challenges: Challenges,
    private readonly tries: AccountTries,
    private readonly signIn: MailSignIn,
    private readonly audit: Audit,
  ) {}

  /**
   * @param emailKey see `EmailAddress`
   * @param code six digits
   * @throws {DomainError} `invalid_code`, `account_disabled`, `signup_closed`, `too_many_requests`
   */
  async verify(emailKey: string, code: string, visitor: Visitor): Promise<OpenedSession> {
    await this.tries.requireOf('code', emailKey, FAILURES);
    const opened = await this.audit.noteRefusal({ event: 'otp.verify', typedEmail: emailKey, visitor }, () =>
      this.open(emailKey, code, visitor),
    );
    await this.tries.forget('code', emailKey);
    return opened;
  }

  private async open(emailKey: string, code: string, visitor: Visitor): Promise<OpenedSession> {
    const met = await this.check.compare({ purpose: 'sign_in', subject: emailKey }, code);
    const opened =
      met && (await this.signIn.open(CODE, visitor, (manager) => this.challenges.meetByCode(manager, met)));
    if (!opened) throw new DomainError('invalid_code', 'The code is invalid or has expired.');
    return opened;
  }
}
