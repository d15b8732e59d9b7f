import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { Clock } from '../../../common/clock.js';
import type { EmailAddress } from '../../../common/text/email-address.js';
import { Settings } from '../../../config/settings.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { Letter } from '../../../mail/letter.js';
import { MailQueue } from '../../../mail/mail-queue.js';
import { newSecret, hashOf } from '../../secrets/secrets.js';
import { Challenges } from '../challenges/challenges.js';
import { newCode, CodeHashes } from '../challenges/code-hashes.js';
import { linkTo } from '../challenges/link-owners.js';
import { MailLimits } from '../challenges/mail-limits.js';
import { mailEvent, Recipients, withheldUnless, type Recipient } from '../challenges/mailed-links.js';

const STRANGER =
  'If it was not you, do nothing: nobody can sign in without this mail. We never ask you for the code, and nobody else should.';

/** With a code and a link, as far as these ways to sign in are open. The subject has no code: locked screens show it. */
function signInLetter(settings: Settings, code: string, token: string): Letter {
  const { siteName, signIn } = settings;
  const { methods, codeSeconds, linkSeconds } = signIn;
  const hasCode = methods.has('otp');
  const hasLink = methods.has('magic-link');
  return {
    subject: `Sign in to ${siteName}`,
    paragraphs: [
      `A sign-in to ${siteName} was started with this address. If that was you, ${whatToDo(hasCode, hasLink)}.`,
    ],
    ...(hasCode ? { code } : {}),
    ...(hasLink ? { action: { label: 'Sign in', url: linkTo(settings, 'sign_in', token) } } : {}),
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

/** Where a sign-in by link redirects to. */
export interface Destination {
  /** One of `REDIRECT_ALLOW_LIST`. */
  readonly redirectTo: string;
  /** Who may redeem the code that arrives there; `null`: any bearer. @see RFC 7636 */
  readonly codeChallenge: string | null;
}

/** What is stored with a sign-in challenge until it is consumed. */
export interface SignInContext {
  /** As it was typed: a new account has this address. */
  readonly address: string;
  /** `null`: nowhere. */
  readonly destination: Destination | null;
}

interface Begun extends Recipient, Pick<SignInContext, 'destination'> {
  readonly email: EmailAddress;
  readonly code: string;
  readonly token: string;
}

/** Begins sign-ins by mail: one mail has a code and a link, and either of them spends both. */
@Injectable()
export class SignInChallenges {
  constructor(
    private readonly challenges: Challenges,
    private readonly hashes: CodeHashes,
    private readonly mail: MailQueue,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async begin(manager: EntityManager, { email, userId, to, destination, code, token }: Begun): Promise<void> {
    const { codeSeconds, linkSeconds } = this.settings.signIn;
    const expiresAt = this.clock.now() + Math.max(codeSeconds, linkSeconds) * 1_000;
    // A code that was not sent must not be guessed either.
    const hashed = to === null ? newSecret() : code;
    const context: SignInContext = { address: email.address, destination };
    await this.challenges.replace(manager, {
      purpose: 'sign_in',
      subject: email.key,
      userId,
      tokenHash: hashOf(token),
      codeHash: (id) => this.hashes.of('sign_in', id, hashed),
      context,
      expiresAt,
    });
    // To nowhere as well: that is as much work.
    await this.mail.add(manager, to, signInLetter(this.settings, code, token), { expiresAt });
  }
}

/** A request for a mail to sign in with. */
interface MailRequest {
  readonly email: EmailAddress;
  /** What the audit calls it. */
  readonly event: 'otp.sent' | 'magic_link.sent';
  /** Where the link leads in the end; `null`: nowhere. */
  readonly destination: Destination | null;
}

/**
 * Sends codes and links. Every address is dealt with by the same statements, also one without an account: it gets a
 * challenge that no code can consume, and a mail that is dropped.
 */
@Injectable()
export class SignInMails {
  constructor(
    private readonly limits: MailLimits,
    private readonly unitOfWork: UnitOfWork,
    private readonly recipients: Recipients,
    private readonly challenges: SignInChallenges,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `too_many_requests` */
  async send(request: MailRequest, visitor: Visitor): Promise<void> {
    const asked = {
      purpose: 'sign_in',
      subject: request.email.key,
      recipient: (manager: EntityManager) => this.recipients.ofSignIn(manager, request.email),
      visitor,
    } as const;
    await this.limits.send(asked, (isSent) => {
      const secrets = { code: newCode(), token: newSecret(), isSent };
      return this.unitOfWork.run((manager) => this.post(manager, request, secrets, visitor));
    });
  }

  private async post(
    manager: EntityManager,
    { email, event, destination }: MailRequest,
    { isSent, ...secrets }: { readonly code: string; readonly token: string; readonly isSent: boolean },
    visitor: Visitor,
  ): Promise<void> {
    const recipient = withheldUnless(isSent, await this.recipients.ofSignIn(manager, email));
    await this.challenges.begin(manager, { email, ...recipient, destination, ...secrets });
    await this.audit.add(manager, { ...mailEvent(event, email, recipient), visitor });
  }
}
