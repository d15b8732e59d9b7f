import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../common/clock.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { invalidQuery } from '../../../common/http/url-query.js';
import { publicAddress } from '../../../config/public-address.js';
import { Settings } from '../../../config/settings.js';
import type { Letter } from '../../../mail/letter.js';
import { MailQueue } from '../../../mail/mail-queue.js';
import { maskedAddress } from '../../pages/own-pages.js';
import type { ChallengePurpose } from '../../secrets/challenge.entity.js';
import { hashOf, isSecret } from '../../secrets/secrets.js';
import { Challenges, type ConsumedChallenge, type NewChallenge } from './challenges.js';

export type LinkPurpose = Extract<ChallengePurpose, 'sign_in' | 'password_reset' | 'invitation' | 'lock_down'>;

const OWN_PAGES: Readonly<Record<LinkPurpose, string>> = {
  sign_in: '/api/auth/magic-link/verify',
  password_reset: '/api/auth/password/reset',
  invitation: '/api/auth/invitations/accept',
  lock_down: '/api/auth/lock-down',
};

/** The address that a mail leads to: our own page, or that of a client which the settings name. Nothing of it is of a request. */
export function linkTo(settings: Settings, purpose: LinkPurpose, token: string): string {
  const page = purpose === 'lock_down' ? null : settings.signIn.linkUrl;
  const url = new URL(page ?? publicAddress(settings, OWN_PAGES[purpose]));
  url.searchParams.set('token', token);
  if (page !== null) url.searchParams.set('purpose', purpose);
  return url.href;
}

const NEXT: Readonly<Record<LinkPurpose, string>> = {
  sign_in: 'Ask for a new link on the sign-in page.',
  password_reset: 'Ask for a new link with “forgotten password” on the sign-in page.',
  invitation: 'Ask the person who invited you for a new one.',
  lock_down: 'If your account is still at risk, sign in and lock it down there, or ask an administrator.',
};

/** The one refusal of a link that is unknown, used, replaced or over. */
export function invalidLink(): DomainError {
  return new DomainError('invalid_link', 'The link is invalid, was used before or has expired. Ask for another one.');
}

export const RESET_SECONDS = 1_800;

interface MailedLink extends Omit<NewChallenge, 'tokenHash' | 'expiresAt'> {
  readonly purpose: LinkPurpose;
  readonly token: string;
  /** Address that gets it; `null`: none, which is as much work. */
  readonly to: string | null;
  readonly seconds: number;
  readonly letter: (url: string, service: string) => Letter;
}

/** Mails links that are good once, recognises them, and names on pages whom they were mailed to. */
@Injectable()
export class MailedLinks {
  constructor(
    private readonly challenges: Challenges,
    private readonly mail: MailQueue,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Mails a link; the one before it is over. */
  async send(manager: EntityManager, { token, to, seconds, letter, ...challenge }: MailedLink): Promise<void> {
    const expiresAt = this.clock.now() + seconds * 1_000;
    await this.challenges.replace(manager, { ...challenge, tokenHash: hashOf(token), expiresAt });
    const url = linkTo(this.settings, challenge.purpose, token);
    await this.mail.add(manager, to, letter(url, this.settings.siteName), { expiresAt });
  }

  /** The mailbox of a link that is good still; `null`: there is none. Only {@link consume} decides. */
  async openSubjectOf(purpose: LinkPurpose, token: string): Promise<string | null> {
    return isSecret(token) ? this.challenges.subjectOf(purpose, hashOf(token), this.lifeOf(purpose)) : null;
  }

  /** Spends a link. @returns `null`: it is unknown, over or spent */
  consume(manager: EntityManager, purpose: LinkPurpose, token: string): Promise<ConsumedChallenge | null> {
    return this.challenges.consumeByToken(manager, purpose, hashOf(token), this.lifeOf(purpose));
  }

  /**
   * The mailbox of a link that is good still: `a•••@example.com`. Spends nothing.
   *
   * @throws {DomainError} `link_over`; `invalid_query`: no link has such a token
   */
  async requireOpen(purpose: LinkPurpose, token: string): Promise<string> {
    if (!isSecret(token)) throw invalidQuery('token', 'format', 'token is not whole. Open the whole link of the mail.');
    const subject = await this.openSubjectOf(purpose, token);
    if (subject !== null) return maskedAddress(subject);
    const what = 'This link was used before, was replaced by a newer one, or has expired.';
    throw new DomainError('link_over', `${what} ${NEXT[purpose]}`);
  }

  /** Does what a page of a link asks for; its failure names the address on the page. */
  async naming<Result>(purpose: LinkPurpose, token: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const subject = isSecret(token) ? await this.challenges.subjectOf(purpose, hashOf(token)) : null;
      throw error.withPage({ address: subject === null ? null : maskedAddress(subject) });
    }
  }

  /** A sign-in challenge may live longer than its link, for the sake of its code. */
  private lifeOf(purpose: LinkPurpose): number {
    return purpose === 'sign_in' ? this.settings.signIn.linkSeconds : Infinity;
  }
}
