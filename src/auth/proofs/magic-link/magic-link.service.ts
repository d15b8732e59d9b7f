import { Injectable } from '@nestjs/common';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { Settings } from '../../../config/settings.js';
import { hashOf, isSecret } from '../../secrets/secrets.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { Challenges } from '../challenges/challenges.js';
import { invalidLink } from '../challenges/link-owners.js';
import { MailSignInService, type Means, type ChallengeAttempt, type SignedIn } from '../mail/mail-sign-in.service.js';

const LINK: Means = { amr: 'link', event: 'magic_link.verify' };

/** Signing in with a link from a mail. */
@Injectable()
export class MagicLinkService {
  constructor(
    private readonly challenges: Challenges,
    private readonly signIn: MailSignInService,
    private readonly audit: Audit,
    private readonly settings: Settings,
  ) {}

  /** @throws {DomainError} `invalid_link`, `account_disabled`, `signup_closed` */
  open(token: string, visitor: Visitor): Promise<OpenedSession> {
    return this.taken(token, visitor, (attempt) => this.signIn.open(LINK, attempt));
  }

  /**
   * The same in a browser, which may be led elsewhere.
   *
   * @throws {DomainError} `invalid_link`, `account_disabled`, `signup_closed`
   */
  lead(token: string, visitor: Visitor): Promise<SignedIn> {
    return this.taken(token, visitor, (attempt) => this.signIn.lead(LINK, attempt));
  }

  private async taken<Result>(
    token: string,
    visitor: Visitor,
    work: (attempt: ChallengeAttempt) => Promise<Result | null>,
  ): Promise<Result> {
    // What looks like none of our tokens is not noted.
    if (!isSecret(token)) throw invalidLink();
    return this.audit.noteRefusal({ event: 'magic_link.verify', visitor }, async () => {
      const emailKey = await this.challenges.subjectOf('sign_in', hashOf(token));
      const result = emailKey === null ? null : await work({ emailKey, visitor, consume: this.attempt(token) });
      if (!result) throw invalidLink();
      return result;
    });
  }

  private attempt(token: string): ChallengeAttempt['consume'] {
    const { linkSeconds } = this.settings.signIn;
    return (manager) => this.challenges.consumeByToken(manager, 'sign_in', hashOf(token), linkSeconds);
  }
}
