import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Settings } from '../../config/settings.js';
import type { OpenedSession } from '../sessions/opened-session.js';
import { Challenges, type MetChallenge } from './challenges.js';
import { invalidLink } from './invalid-link.js';
import { MailSignIn, type Means, type SignedIn } from './mail-sign-in.service.js';
import { hashOf, isSecret } from '../secrets.js';

const LINK: Means = { amr: 'link', event: 'magic_link.verify' };

/** Signing in with a link out of a mail. */
@Injectable()
export class MagicLinkService {
  constructor(
    private readonly challenges: Challenges,
    private readonly signIn: MailSignIn,
    private readonly audit: Audit,
    private readonly settings: Settings,
  ) {}

  /** @throws {DomainError} `invalid_link`, `account_disabled`, `signup_closed` */
  async open(token: string, visitor: Visitor): Promise<OpenedSession> {
    const meet = this.meeting(token);
    return this.taken(visitor, () => this.signIn.open(LINK, visitor, meet));
  }

  /**
   * The same in a browser, which may be led elsewhere.
   *
   * @throws {DomainError} `invalid_link`, `account_disabled`, `signup_closed`
   */
  async lead(token: string, visitor: Visitor): Promise<SignedIn> {
    const meet = this.meeting(token);
    return this.taken(visitor, () => this.signIn.lead(LINK, visitor, meet));
  }

  /** @throws {DomainError} `invalid_link`: no token looks like this one */
  private meeting(token: string): (manager: EntityManager) => Promise<MetChallenge | null> {
    if (!isSecret(token)) throw invalidLink();
    const { linkSeconds } = this.settings.signIn;
    return (manager) => this.challenges.meetByToken(manager, 'sign_in', hashOf(token), linkSeconds);
  }

  private taken<Result>(visitor: Visitor, work: () => Promise<Result | null>): Promise<Result> {
    return this.audit.noteRefusal({ event: 'magic_link.verify', visitor }, async () => {
      const result = await work();
      if (!result) throw invalidLink();
      return result;
    });
  }
}
