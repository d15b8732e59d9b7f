import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { invalidQuery } from '../../../common/http/url-query.js';
import { Settings } from '../../../config/settings.js';
import { maskedAddress } from '../../pages/own-pages.js';
import { hashOf, isSecret } from '../../secrets/secrets.js';
import { Challenges } from './challenges.js';
import { linkOver } from './invalid-link.js';
import type { LinkPurpose } from './links.js';

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
