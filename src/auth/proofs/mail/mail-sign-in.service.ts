import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import type { Account } from '../../../users/rows/account.js';
import { ExchangeCodes, type Grant } from '../../exchange/exchange-codes.js';
import { withParameter } from '../../exchange/redirect-targets.js';
import { SessionOpener, NewDevices } from '../../sessions/lifecycle/session-opener.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import type { ConsumedChallenge } from '../challenges/challenges.js';
import { MailboxOwners, type MailboxVisit } from '../challenges/mailbox-owners.js';
import type { Destination, SignInContext } from './sign-in-mails.js';

/** The result of a sign-in by link in a browser: a session, or a redirect with a one-time code for one. */
export type SignedIn =
  { readonly kind: 'here'; readonly session: OpenedSession } | { readonly kind: 'elsewhere'; readonly address: string };

/** An attempt to consume a challenge. */
export interface ChallengeAttempt extends MailboxVisit {
  readonly consume: (manager: EntityManager) => Promise<ConsumedChallenge | null>;
}

/** The name of a kind of challenge in sessions and in the audit. */
export interface Means {
  /** @see RFC 8176 */
  readonly amr: 'otp' | 'link';
  readonly event: 'otp.verify' | 'magic_link.verify';
}

/** Opens sessions for consumed challenges. The session is opened in the unit of work that consumes the challenge. */
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
   * @returns `null`: the challenge could not be consumed
   * @throws {DomainError} `account_disabled`, `signup_closed`
   */
  open(means: Means, attempt: ChallengeAttempt): Promise<OpenedSession | null> {
    return this.use(attempt, (manager, account) => this.session(manager, account, means, attempt.visitor));
  }

  /**
   * The same for a browser, which is led to where its sign-in was begun, if that was said then.
   *
   * @returns `null`: the challenge could not be consumed
   * @throws {DomainError} `account_disabled`, `signup_closed`
   */
  lead(means: Means, attempt: ChallengeAttempt): Promise<SignedIn | null> {
    const { visitor } = attempt;
    return this.use(attempt, async (manager, account, { destination }) => {
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
    { consume, ...visit }: ChallengeAttempt,
    work: (manager: EntityManager, account: Account, context: SignInContext) => Promise<Result>,
  ): Promise<Result | null> {
    return this.owners.proving(visit, async (manager, prove) => {
      const consumed = await consume(manager);
      if (!consumed) return null;
      // Written by `SignInChallenges` alone.
      const context = consumed.context as SignInContext;
      const { account } = await prove({ address: context.address, key: consumed.subject });
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
