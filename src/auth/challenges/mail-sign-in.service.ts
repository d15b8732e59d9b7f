import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Visitor } from '../../common/access/visitor.js';
import type { Account } from '../../users/account.js';
import { ExchangeCodes } from '../exchange/exchange-codes.js';
import { withParameter } from '../exchange/redirect-targets.js';
import type { OpenedSession } from '../sessions/opened-session.js';
import { SessionOpener } from '../sessions/session-opener.js';
import type { MetChallenge } from './challenges.js';
import { MailboxOwners } from './mailbox-owners.js';
import type { Destination, SignInContext } from './sign-in-challenges.js';

/** Where a sign-in by link has led: to a session here, or elsewhere with a one-time code for one. */
export type SignedIn =
  { readonly kind: 'here'; readonly session: OpenedSession } | { readonly kind: 'elsewhere'; readonly address: string };

type Meet = (manager: EntityManager) => Promise<MetChallenge | null>;

/** How a challenge is called that was met. */
export interface Means {
  /** @see RFC 8176 */
  readonly amr: 'otp' | 'link';
  readonly event: 'otp.verify' | 'magic_link.verify';
}

/**
 * Opens sessions for those who have met a challenge. Everything that follows from the challenge happens together with
 * meeting it, or not at all.
 */
@Injectable()
export class MailSignIn {
  constructor(
    private readonly owners: MailboxOwners,
    private readonly sessions: SessionOpener,
    private readonly codes: ExchangeCodes,
  ) {}

  /**
   * @returns `null`: it was not met
   * @throws {DomainError} `account_disabled`, `signup_closed`
   */
  open(means: Means, visitor: Visitor, meet: Meet): Promise<OpenedSession | null> {
    return this.use(meet, (manager, account) => this.session(manager, account, means, visitor));
  }

  /**
   * The same for a browser, which is led to where its sign-in was begun, if that was said then.
   *
   * @returns `null`: it was not met
   * @throws {DomainError} `account_disabled`, `signup_closed`
   */
  lead(means: Means, visitor: Visitor, meet: Meet): Promise<SignedIn | null> {
    return this.use(meet, async (manager, account, { destination }) => {
      if (!destination) return { kind: 'here', session: await this.session(manager, account, means, visitor) };
      return { kind: 'elsewhere', address: await this.way(manager, account, means, destination) };
    });
  }

  private use<Result>(
    meet: Meet,
    work: (manager: EntityManager, account: Account, context: SignInContext) => Promise<Result>,
  ): Promise<Result | null> {
    return this.owners.proving(async (manager, prove) => {
      const met = await meet(manager);
      if (!met) return null;
      // Written by `SignInChallenges` and by nobody else.
      const context = met.context as SignInContext;
      const account = await prove({ address: context.address, key: met.subject });
      return work(manager, account, context);
    });
  }

  private session(
    manager: EntityManager,
    account: Account,
    { amr, event }: Means,
    visitor: Visitor,
  ): Promise<OpenedSession> {
    return this.sessions.open(manager, { account, amr: [amr], event, visitor });
  }

  private async way(
    manager: EntityManager,
    { id: userId }: Account,
    { amr }: Means,
    { redirectTo, codeChallenge }: Destination,
  ): Promise<string> {
    return withParameter(redirectTo, 'code', await this.codes.issue(manager, { userId, amr: [amr], codeChallenge }));
  }
}
