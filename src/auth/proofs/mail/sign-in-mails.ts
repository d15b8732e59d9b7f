import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { ValidationError } from '../../../common/errors/domain-error.js';
import { Settings } from '../../../config/settings.js';
import type { Letter } from '../../../mail/letter.js';
import type { Account } from '../../../users/rows/account.js';
import { requireEmail } from '../../../users/user-fields.js';
import { ExchangeCodes } from '../../exchange/exchange-codes.js';
import { RedirectTargets, withParameter } from '../../exchange/redirect-targets.js';
import { newSecret } from '../../secrets/secrets.js';
import { SessionOpener } from '../../sessions/lifecycle/session-opener.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { AskedMails } from '../challenges/asked-mails.js';
import { newCode } from '../challenges/challenges.js';
import { RESEND_SECONDS } from '../challenges/mail-limits.js';
import { MailboxOwners } from '../challenges/mailbox-owners.js';
import { MailedLinks } from '../challenges/mailed-links.js';

const STRANGER =
  'If it was not you, do nothing: nobody can sign in without this mail. We never ask you for the code, and nobody else should.';

/** With a code and a link, as far as these ways are open. The subject has no code: locked screens show it. */
function signInLetter(
  { methods, codeSeconds, linkSeconds }: Settings['signIn'],
  code: string,
  url: string,
  siteName: string,
): Letter {
  const hasCode = methods.has('otp');
  const hasLink = methods.has('magic-link');
  return {
    subject: `Sign in to ${siteName}`,
    paragraphs: [
      `A sign-in to ${siteName} was started with this address. If that was you, ${whatToDo(hasCode, hasLink)}.`,
    ],
    ...(hasCode ? { code } : {}),
    ...(hasLink ? { action: { label: 'Sign in', url } } : {}),
    footer: `Works once, within ${minutes(Math.min(hasCode ? codeSeconds : Infinity, hasLink ? linkSeconds : Infinity))}. ${STRANGER}`,
  };
}

function whatToDo(hasCode: boolean, hasLink: boolean): string {
  if (!hasLink) return 'enter this code there';
  return hasCode ? 'enter this code there, or open the link on this device' : 'open this link';
}

/** `600` -> `10 minutes` */
function minutes(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`;
}

interface Destination {
  /** One of `REDIRECT_ALLOW_LIST`. */
  readonly redirectTo: string;
  /** Challenge of the client that may redeem the code there; `null`: any bearer. @see RFC 7636 */
  readonly codeChallenge: string | null;
}

interface SignInContext {
  /** As it was typed: a new account has this address. */
  readonly address: string;
  readonly destination: Destination | null;
}

/** Description of both ways to ask for a mail. */
export const ASKED_FOR =
  'Everybody is answered alike, whether they have an account or not. Within a minute of a mail nothing is sent, and what ' +
  'it holds still works; there are five mails an hour for an address and then one in ten minutes, and five for each device on which its user was ' +
  'signed in before.';

interface LinkRequest {
  readonly email: string;
  readonly redirect_to?: string;
  readonly code_challenge?: string;
}

/** Begins sign-ins by mail: one mail has a code and a link, and either of them spends both. Every address is answered alike. */
@Injectable()
export class SignInMails {
  constructor(
    private readonly asked: AskedMails,
    private readonly links: MailedLinks,
    private readonly targets: RedirectTargets,
    private readonly settings: Settings,
  ) {}

  /** @throws {DomainError} `too_many_requests` */
  async code(email: string, visitor: Visitor) {
    await this.send('otp.sent', { email, destination: null }, visitor);
    return answer('a code', this.settings.signIn.codeSeconds);
  }

  /** @throws {DomainError} `too_many_requests`, `validation_failed` */
  async link({ email, ...goal }: LinkRequest, visitor: Visitor) {
    await this.send('magic_link.sent', { email, destination: this.destinationOf(goal) }, visitor);
    return answer('a link', this.settings.signIn.linkSeconds);
  }

  private send(
    event: 'otp.sent' | 'magic_link.sent',
    { email: typed, destination }: Pick<LinkRequest, 'email'> & Pick<SignInContext, 'destination'>,
    visitor: Visitor,
  ): Promise<void> {
    const email = requireEmail(typed);
    const { signIn } = this.settings;
    const code = newCode();
    const context: SignInContext = { address: email.address, destination };
    const mail = {
      ...({ purpose: 'sign_in', subject: email.key, context, token: newSecret() } as const),
      seconds: Math.max(signIn.codeSeconds, signIn.linkSeconds),
      letter: (url: string, service: string) => signInLetter(signIn, code, url, service),
    };
    return this.asked.send({ purpose: mail.purpose, event, email, visitor }, (manager, recipient) =>
      // A code that was not sent must not be guessed either.
      this.links.send(manager, { ...mail, ...recipient, code: recipient.to === null ? newSecret() : code }),
    );
  }

  /** Fixed when the mail is requested, never a part of the link. @throws {ValidationError} */
  private destinationOf(goal: Omit<LinkRequest, 'email'>): Destination | null {
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

function fault(field: string, rule: string, message: string): ValidationError {
  return new ValidationError([{ field, rule, message }]);
}

function answer(what: string, seconds: number) {
  const message = `If the address can sign in, ${what} has been sent.`;
  return { message, expires_in: seconds, resend_in: RESEND_SECONDS };
}

const LINK = { purpose: 'sign_in', event: 'magic_link.verify' } as const;
/** @see RFC 8176 */
const AMR = ['link'];

/** Signing in with a link from a mail. */
@Injectable()
export class MagicLinkService {
  constructor(
    private readonly proofs: MailboxOwners,
    private readonly sessions: SessionOpener,
    private readonly codes: ExchangeCodes,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `invalid_link`, `account_disabled`, `signup_closed` */
  open(token: string, visitor: Visitor): Promise<OpenedSession> {
    return this.proofs.take({ ...LINK, token, visitor }, () => (manager, { account }) => {
      return this.session(manager, account, visitor);
    });
  }

  /**
   * {@link open} in a browser.
   *
   * @returns the address to go on to with a one-time code, if the sign-in was begun so
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

  /** The session begins with the exchange, perhaps elsewhere. */
  private async way(
    manager: EntityManager,
    account: Account,
    { redirectTo, codeChallenge }: Destination,
    visitor: Visitor,
  ): Promise<string> {
    const { id: userId, email } = account;
    const event = { event: LINK.event, userId, email, visitor } as const;
    await this.audit.add(manager, { ...event, outcome: 'success', details: { way: 'exchange' } });
    const isKnownDevice = this.sessions.isKnownDevice(account, visitor);
    const code = await this.codes.issue(manager, { userId, amr: AMR, codeChallenge, isKnownDevice });
    return withParameter(redirectTo, 'code', code);
  }
}
