import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import type { Account } from '../../../users/rows/account.js';
import { ExchangeCodes, type Grant } from '../../exchange/exchange-codes.js';
import { withParameter } from '../../exchange/redirect-targets.js';
import { NewDevices } from '../../sessions/lifecycle/new-devices.js';
import type { OpenedSession } from '../../tokens/access/opened-session.js';
import { SessionOpener } from '../../sessions/lifecycle/session-opener.js';
import type { MetChallenge } from '../challenges/challenges.js';
import { MailboxOwners, type MailboxVisit } from '../challenges/mailbox-owners.js';
import type { Destination, SignInContext } from './sign-in-challenges.js';

/** Where a sign-in by link has led: to a session here, or elsewhere with a one-time code for one. */
export type SignedIn =
  { readonly kind: 'here'; readonly session: OpenedSession } | { readonly kind: 'elsewhere'; readonly address: string };

/** A challenge that is about to be met. */
export interface Meeting extends MailboxVisit {
  readonly meet: (manager: EntityManager) => Promise<MetChallenge | null>;
}

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
export class MailSignInService {
  constructor(
    private readonly owners: MailboxOwners,
    private readonly sessions: SessionOpener,
    private readonly codes: ExchangeCodes,
    private readonly devices: NewDevices,
    private readonly audit: Audit,
  ) {}

  /**
   * @returns `null`: it was not met
   * @throws {DomainError} `account_disabled`, `signup_closed`
   */
  open(means: Means, meeting: Meeting): Promise<OpenedSession | null> {
    return this.use(meeting, (manager, account) => this.session(manager, account, means, meeting.visitor));
  }

  /**
   * The same for a browser, which is led to where its sign-in was begun, if that was said then.
   *
   * @returns `null`: it was not met
   * @throws {DomainError} `account_disabled`, `signup_closed`
   */
  lead(means: Means, meeting: Meeting): Promise<SignedIn | null> {
    const { visitor } = meeting;
    return this.use(meeting, async (manager, account, { destination }) => {
      if (!destination) return { kind: 'here', session: await this.session(manager, account, means, visitor) };
      await this.note(manager, account, means, visitor);
      const isKnownDevice = this.devices.isKnown(account, visitor);
      return {
        kind: 'elsewhere',
        address: await this.way(manager, account, { amr: [means.amr], isKnownDevice }, destination),
      };
    });
  }

  private use<Result>(
    { meet, ...visit }: Meeting,
    work: (manager: EntityManager, account: Account, context: SignInContext) => Promise<Result>,
  ): Promise<Result | null> {
    return this.owners.proving(visit, async (manager, prove) => {
      const met = await meet(manager);
      if (!met) return null;
      // Written by `SignInChallenges` alone.
      const context = met.context as SignInContext;
      const { account } = await prove({ address: context.address, key: met.subject });
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

  /** The session begins with the exchange, perhaps elsewhere: the link is spent here. */
  private note(manager: EntityManager, account: Account, { event }: Means, visitor: Visitor): Promise<void> {
    const { id: userId, email } = account;
    return this.audit.add(manager, { event, outcome: 'success', userId, email, visitor, details: { way: 'exchange' } });
  }

  private async way(
    manager: EntityManager,
    { id: userId }: Account,
    grant: Pick<Grant, 'amr' | 'isKnownDevice'>,
    { redirectTo, codeChallenge }: Destination,
  ): Promise<string> {
    return withParameter(redirectTo, 'code', await this.codes.issue(manager, { userId, codeChallenge, ...grant }));
  }
}
