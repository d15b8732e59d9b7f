import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import type { Account } from '../../../users/rows/account.js';
import { ExchangeCodes } from '../../exchange/exchange-codes.js';
import { withParameter } from '../../exchange/redirect-targets.js';
import { SessionOpener, NewDevices } from '../../sessions/lifecycle/session-opener.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { LinkProofs } from '../challenges/mailbox-owners.js';
import type { Destination, SignInContext } from '../mail/sign-in-mails.js';

const LINK = { purpose: 'sign_in', event: 'magic_link.verify' } as const;
/** @see RFC 8176 */
const AMR = ['link'];

/** Signing in with a link from a mail. */
@Injectable()
export class MagicLinkService {
  constructor(
    private readonly proofs: LinkProofs,
    private readonly sessions: SessionOpener,
    private readonly codes: ExchangeCodes,
    private readonly devices: NewDevices,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `invalid_link`, `account_disabled`, `signup_closed` */
  open(token: string, visitor: Visitor): Promise<OpenedSession> {
    return this.proofs.take({ ...LINK, token, visitor }, () => (manager, { account }) => {
      return this.session(manager, account, visitor);
    });
  }

  /**
   * The same in a browser.
   *
   * @returns the address that it is led to with a one-time code, where its sign-in was begun so
   * @throws {DomainError} `invalid_link`, `account_disabled`, `signup_closed`
   */
  lead(token: string, visitor: Visitor): Promise<OpenedSession | string> {
    return this.proofs.take<OpenedSession | string>(
      { ...LINK, token, visitor },
      () =>
        (manager, { account }, context) => {
          // Written by `SignInMails` alone.
          const { destination } = context as SignInContext;
          if (!destination) return this.session(manager, account, visitor);
          return this.way(manager, account, destination, visitor);
        },
    );
  }

  private session(manager: EntityManager, account: Account, visitor: Visitor): Promise<OpenedSession> {
    return this.sessions.open(manager, { account, amr: AMR, event: LINK.event, visitor });
  }

  /** The session begins with the exchange, perhaps elsewhere: the link is spent here. */
  private async way(
    manager: EntityManager,
    account: Account,
    { redirectTo, codeChallenge }: Destination,
    visitor: Visitor,
  ): Promise<string> {
    const { id: userId, email } = account;
    const event = { event: LINK.event, userId, email, visitor } as const;
    await this.audit.add(manager, { ...event, outcome: 'success', details: { way: 'exchange' } });
    const isKnownDevice = this.devices.isKnown(account, visitor);
    const code = await this.codes.issue(manager, { userId, amr: AMR, codeChallenge, isKnownDevice });
    return withParameter(redirectTo, 'code', code);
  }
}
