import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { maskedAddress } from '../../pages/masked-address.js';
import { hashOf, isSecret } from '../../secrets/secrets.js';
import { Challenges } from './challenges.js';
import type { LinkPurpose } from './links.js';

/** Names on pages the addresses that links were mailed to, masked: what a link opens is no news to its owner. */
@Injectable()
export class LinkOwners {
  constructor(private readonly challenges: Challenges) {}

  /** `a•••@example.com`; `null`: no such link is known. */
  async maskedOf(purpose: LinkPurpose, token: string): Promise<string | null> {
    const subject = isSecret(token) ? await this.challenges.subjectOf(purpose, hashOf(token)) : null;
    return subject === null ? null : maskedAddress(subject);
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
}
