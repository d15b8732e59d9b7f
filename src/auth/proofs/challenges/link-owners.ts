import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { invalidQuery } from '../../../common/http/url-query.js';
import { publicAddress } from '../../../config/public-address.js';
import { Settings } from '../../../config/settings.js';
import { maskedAddress } from '../../pages/own-pages.js';
import type { ChallengePurpose } from '../../secrets/challenge.entity.js';
import { hashOf, isSecret } from '../../secrets/secrets.js';
import { Challenges } from './challenges.js';

/** What a link in a mail is for. */
export type LinkPurpose = Extract<ChallengePurpose, 'sign_in' | 'password_reset' | 'invitation' | 'lock_down'>;

const OWN_PAGES: Readonly<Record<LinkPurpose, string>> = {
  sign_in: '/api/auth/magic-link/verify',
  password_reset: '/api/auth/password/reset',
  invitation: '/api/auth/invitations/accept',
  lock_down: '/api/auth/lock-down',
};

/**
 * The address that a mail leads to: of our own page, or of that of a client which the settings name. It begins with what
 * the settings say, and never with what a request says.
 */
export function linkTo(settings: Settings, purpose: LinkPurpose, token: string): string {
  const page = pageOf(settings, purpose);
  const url = new URL(page ?? publicAddress(settings, OWN_PAGES[purpose]));
  url.searchParams.set('token', token);
  if (page !== null && purpose !== 'sign_in') url.searchParams.set('purpose', purpose);
  return url.href;
}

/** The page of a client; `null`: our own. */
function pageOf({ signIn: { linkUrl, passwordUrl } }: Settings, purpose: LinkPurpose): string | null {
  if (purpose === 'lock_down') return null;
  return purpose === 'sign_in' ? linkUrl : passwordUrl;
}

/** How another link is got. */
const NEXT: Readonly<Record<LinkPurpose, string>> = {
  sign_in: 'Ask for a new link on the sign-in page.',
  password_reset: 'Ask for a new link with “forgotten password” on the sign-in page.',
  invitation: 'Ask the person who invited you for a new one.',
  lock_down: 'If your account is still at risk, sign in and lock it down there, or ask an administrator.',
};

/** One refusal for a link that is unknown, used, replaced or over. */
export function invalidLink(): DomainError {
  return new DomainError('invalid_link', 'The link is invalid, was used before or has expired. Ask for another one.');
}

/** The same where a link is only looked at, with what to do instead. */
function linkOver(purpose: LinkPurpose): DomainError {
  return new DomainError(
    'link_over',
    `This link was used before, was replaced by a newer one, or has expired. ${NEXT[purpose]}`,
  );
}

/** Names on pages the addresses that links were mailed to, masked: what a link opens is no news to its owner. */
@Injectable()
export class LinkOwners {
  constructor(
    private readonly challenges: Challenges,
    private readonly settings: Settings,
  ) {}

  /**
   * Whom a link was mailed to that is good still: `a•••@example.com`. Spends nothing.
   *
   * @throws {DomainError} `link_over`; `invalid_query`: no link has such a token, so it was cut or has more behind it
   */
  async requireOpen(purpose: LinkPurpose, token: string): Promise<string> {
    const seconds = purpose === 'sign_in' ? this.settings.signIn.linkSeconds : Infinity;
    if (!isSecret(token)) throw invalidQuery('token', 'format', 'token is not whole. Open the whole link of the mail.');
    const subject = await this.challenges.openSubjectOf(purpose, hashOf(token), seconds);
    if (subject === null) throw linkOver(purpose);
    return maskedAddress(subject);
  }

  /** Does what a page of a link asks for; a failure of it names the address on its page. */
  async naming<Result>(purpose: LinkPurpose, token: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      throw error.withPage({ address: await this.maskedOf(purpose, token) });
    }
  }

  /** The same of a link that may be spent; `null`: no such link is known. */
  private async maskedOf(purpose: LinkPurpose, token: string): Promise<string | null> {
    const subject = isSecret(token) ? await this.challenges.subjectOf(purpose, hashOf(token)) : null;
    return subject === null ? null : maskedAddress(subject);
  }
}
